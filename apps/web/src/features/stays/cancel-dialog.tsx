import { cancelInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation } from "@tanstack/react-query";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { actLabel, ChannelChoice, RemainingCreditNote } from "@/entities/stay/stay-money.tsx";
import { api } from "@/lib/api.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { toastWithUndo } from "@/lib/undo-toast.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";

export function CancelDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.cancelReservation")} onClose={onClose}>
      {(stay) => <CancelContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function CancelContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const paysOut = useCan()("folio.refund");
  const form = useZodForm(cancelInput, {
    defaultValues: { stayId: stay.id, refundChannel: paysOut ? "cash" : null },
  });
  const refundChannel = form.watch("refundChannel");
  const cancel = useMutation(trpc.stays.cancel.mutationOptions({ meta: { shownInForm: true } }));
  const paid = formatMoney(stay.money.paidMinor, currency);

  return (
    <FormDialogContent
      form={form}
      title={t("stay.cancelReservation")}
      description={t("stay.cancelText", { room: stay.room.name })}
      submitLabel={actLabel(
        t("stay.cancelReservation"),
        { paidBackMinor: refundChannel ? Math.max(0, stay.money.paidMinor) : 0 },
        currency,
      )}
      cancelLabel={t("stay.keepReservation")}
      tone="danger"
      onClose={onClose}
      onSubmit={async (values) => {
        await cancel.mutateAsync(values);
        const params = { guest: guestNameOf(stay), room: stay.room.name };
        toastWithUndo(t("stay.cancelledDone", params), async () => {
          await api.stays.reinstate.mutate({ stayId: stay.id, isMoneyBack: true });
          return t("stay.reinstatedDone", params);
        });
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      {stay.money.paidMinor > 0 && !paysOut && <RemainingCreditNote minor={stay.money.paidMinor} />}
      {stay.money.paidMinor > 0 && paysOut && (
        <Field form={form} name="refundChannel" label={t("stay.refundBy", { amount: paid })} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.keepAsCredit")} />}
        </Field>
      )}
    </FormDialogContent>
  );
}

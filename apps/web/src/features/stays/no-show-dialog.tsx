import { NO_SHOW_CHARGES, noShowInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { actLabel, ChannelChoice, MoneyRow, RemainingCreditNote } from "@/entities/stay/stay-money.tsx";
import { api } from "@/lib/api.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { toastWithUndo } from "@/lib/undo-toast.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Records that the guests of a reservation didn't come, and what they still pay. */
export function NoShowDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.noShow")} onClose={onClose}>
      {(stay) => <NoShowContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function NoShowContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const paysOut = useCan()("folio.refund");
  const quote = useQuery(trpc.stays.noShowQuote.queryOptions({ stayId: stay.id }, { staleTime: 0 }));
  const form = useZodForm(noShowInput, {
    defaultValues: { stayId: stay.id, charge: "first_night", reason: "", refundChannel: paysOut ? "cash" : null },
  });
  const [charge, refundChannel] = form.watch(["charge", "refundChannel"]);
  const mark = useMutation(trpc.stays.markNoShow.mutationOptions({ meta: { shownInForm: true } }));
  const { firstNightMinor = 0, everythingMinor = 0, othersMinor = 0 } = quote.data ?? {};
  const roomMinor = { nothing: 0, first_night: firstNightMinor, everything: everythingMinor };
  const remainingMinor = charge === "nothing" ? 0 : roomMinor[charge ?? "first_night"] + othersMinor;
  const owedMinor = stay.money.owedMinor - stay.money.chargedMinor + remainingMinor;
  const creditMinor = Math.max(0, -owedMinor);
  const params = { guest: guestNameOf(stay), room: stay.room.name };

  return (
    <FormDialogContent
      form={form}
      title={t("stay.noShow")}
      description={t("stay.noShowText", { room: stay.room.name })}
      submitLabel={actLabel(t("stay.noShow"), { paidBackMinor: refundChannel ? creditMinor : 0 }, currency)}
      cancelLabel={t("stay.keepReservation")}
      tone="danger"
      onClose={onClose}
      onSubmit={async (values) => {
        await mark.mutateAsync(values);
        toastWithUndo(t("stay.noShowDone", params), async () => {
          await api.stays.reinstate.mutate({ stayId: stay.id, isMoneyBack: true });
          return t("stay.reinstatedDone", params);
        });
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      <Field form={form} name="charge" label={t("stay.noShowCharge")} required layout="group">
        {(control) => (
          <RadioInput
            {...control}
            options={NO_SHOW_CHARGES.map((value) => ({
              value,
              label: t(`stay.noShowChargeOf.${value}`, { amount: formatMoney(roomMinor[value], currency) }),
            }))}
          />
        )}
      </Field>
      <Field form={form} name="reason" label={t("stay.noShowReason")}>
        {(control) => <Input {...control} value={control.value ?? ""} maxLength={200} />}
      </Field>
      <dl aria-live="polite" className="grid gap-2">
        <MoneyRow
          label={owedMinor < 0 ? t("stay.guestGets") : t("stay.owed")}
          minor={quote.data && Math.abs(owedMinor)}
          strong
        />
      </dl>
      {creditMinor > 0 && !paysOut && <RemainingCreditNote minor={creditMinor} />}
      {creditMinor > 0 && paysOut && (
        <Field form={form} name="refundChannel" label={t("stay.giveBack")} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.keepAsCredit")} />}
        </Field>
      )}
    </FormDialogContent>
  );
}

import { reinstateInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FreeRoomsInstead, isFree } from "@/entities/room/free-rooms.tsx";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { MoneyRow } from "@/entities/stay/stay-money.tsx";
import { formatPrice } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";

/** Brings back a reservation that was cancelled, or whose guests come after all. */
export function ReinstateDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.reinstate")} onClose={onClose}>
      {(stay) => <ReinstateContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

/** Returns what the end of the reservation paid out. */
function paidOutMinor({ entries, cancelledAt }: StayDetail): number {
  return entries
    .filter(({ createdAt, channel }) => createdAt === cancelledAt && channel !== null)
    .reduce((sum, { type, amountMinor }) => {
      if (type === "refund") return sum + amountMinor;
      return type === "payment" && amountMinor < 0 ? sum - amountMinor : sum;
    }, 0);
}

function ReinstateContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const { unit, startsAt, endsAt } = stay;
  const form = useZodForm(reinstateInput, {
    defaultValues: { stayId: stay.id, roomId: stay.room.id, isMoneyBack: false },
  });
  const roomId = Number(form.watch("roomId"));
  const free = useQuery(trpc.availability.find.queryOptions({ unit, startsAt, endsAt }, { staleTime: 0 }));
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId: stay.room.id }));
  const reinstate = useMutation(trpc.stays.reinstate.mutationOptions({ meta: { shownInForm: true } }));
  const rooms = free.data?.groups.flatMap((group) => group.rooms) ?? [];
  const chosen = rooms.find((other) => other.roomId === roomId)?.name ?? stay.room.name;
  const paidOut = paidOutMinor(stay);

  return (
    <FormDialogContent
      form={form}
      title={t("stay.reinstate")}
      description={t("stay.reinstateText")}
      submitLabel={t("stay.reinstateIn", { room: chosen })}
      onClose={onClose}
      onSubmit={async (values) => {
        await reinstate.mutateAsync(values);
        toast.success(t("stay.reinstatedDone", { guest: guestNameOf(stay), room: chosen }));
        onClose();
      }}
    >
      <StayFacts stay={stay} />
      {free.data && roomId === stay.room.id && !isFree(free.data, stay.room.id) && (
        <FreeRoomsInstead
          groups={free.data.groups}
          roomName={stay.room.name}
          groupId={room.data?.groupId}
          priceOf={({ priceMinor }) => formatPrice(priceMinor, currency)}
          onTake={(otherRoomId) => {
            form.setValue("roomId", otherRoomId, { shouldDirty: true });
            form.clearErrors("root.server");
          }}
        />
      )}
      {paidOut > 0 && (
        <>
          <dl>
            <MoneyRow label={t("stay.paidOutThen")} minor={paidOut} />
          </dl>
          <Field
            form={form}
            name="isMoneyBack"
            label={t("stay.moneyIsBack")}
            hint={t("stay.moneyIsBackHint")}
            layout="inline"
          >
            {(control) => <CheckboxInput {...control} value={control.value ?? false} />}
          </Field>
        </>
      )}
    </FormDialogContent>
  );
}

import { arriveInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { FreeInstead } from "@/entities/stay/free-instead.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import {
  askAlreadyIn,
  askAndRepeat,
  askDirty,
  guestNameOf,
  StayDialog,
  StayFacts,
} from "@/entities/stay/stay-dialog.tsx";
import { actLabel, ChannelChoice, DepositFields, MoneyRow } from "@/entities/stay/stay-money.tsx";
import { undoCheckIn } from "@/entities/stay/undo-check-in.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";

/** Checks in the guests of a reservation. */
export function ArriveDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.checkIn")} onClose={onClose}>
      {(stay) => <ArriveContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function ArriveContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const seesFolio = useCan()("folio.view");
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId: stay.room.id }));
  const usualDeposit = room.data?.prices?.depositMinor;
  const form = useZodForm(arriveInput, {
    defaultValues: { stayId: stay.id, depositMinor: null, depositChannel: "cash", channel: null },
  });
  const [depositMinor, channel] = form.watch(["depositMinor", "channel"]);
  const deposit = depositMinor ?? usualDeposit ?? 0;
  const dueMinor = (channel ? Math.max(0, stay.money.owedMinor) : 0) + (Number.isNaN(deposit) ? 0 : deposit);
  const free = useQuery(trpc.availability.forStay.queryOptions({ stayId: stay.id, arrives: true }));
  const actions = useStayActions();
  const endWithKeys = useEndWithKeys();
  const arrive = useMutation(trpc.stays.arrive.mutationOptions({ meta: { shownInForm: true } }));

  async function submit(values: z.output<typeof arriveInput>): Promise<void> {
    const input = { ...values, depositMinor: values.depositMinor ?? usualDeposit ?? null };
    const result = await askAndRepeat(input, (next) => arrive.mutateAsync(next), {
      guest_already_in: askAlreadyIn,
      room_not_ready: askDirty,
    });
    if (!result) return;
    const names = { guest: guestNameOf(stay), room: stay.room.name };
    const done = t("stay.checkedInDone", names);
    await endWithKeys(stay.id, "arrival", done, onClose, () => undoCheckIn(stay.id, names));
  }

  return (
    <FormDialogContent
      form={form}
      title={t("stay.checkInRoom", { room: stay.room.name })}
      submitLabel={actLabel(t("stay.checkIn"), { receivedMinor: dueMinor }, currency)}
      onClose={onClose}
      onSubmit={submit}
    >
      <StayFacts stay={stay} />
      {free.data?.ownRoomFree === false && (
        <FreeInstead
          stay={stay}
          free={free.data}
          onTake={(roomId) => actions.changeRoom(stay.id, { roomId, next: { act: "arrive" } })}
        />
      )}
      <dl className="grid gap-2">
        {seesFolio && <MoneyRow label={t("stay.charged")} minor={stay.money.chargedMinor} />}
        {seesFolio && <MoneyRow label={t("stay.paid")} minor={stay.money.paidMinor} />}
        <MoneyRow label={t("stay.owed")} minor={stay.money.owedMinor} strong />
      </dl>
      {stay.money.owedMinor > 0 && (
        <Field form={form} name="channel" label={t("stay.payRoom")} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.payLater")} />}
        </Field>
      )}
      <DepositFields form={form} usualMinor={usualDeposit} />
      <dl aria-live="polite">
        <MoneyRow label={t("stay.dueNow")} minor={dueMinor} strong />
      </dl>
    </FormDialogContent>
  );
}

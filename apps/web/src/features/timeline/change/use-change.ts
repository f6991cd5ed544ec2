import type { PaymentChannel } from "@innkey/shared/enums";
import type { ChangePreview, ChangeTarget, ReservationMoved } from "@innkey/shared/schemas/overview/timeline";
import { useMutation } from "@tanstack/react-query";
import { askAndRepeat, askDirty, askNewPrice } from "@/entities/stay/stay-questions.ts";
import { api } from "@/lib/api.ts";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { periodWords } from "../timeline-words.ts";

type Undo = ReservationMoved["undo"];
type AgreedTerms = { channel: PaymentChannel | null; expectedMinor: number; confirmDirty: boolean };

/** Makes the previewed change and shows a toast. Returns null if the user declined a question. */
export function useChange(target: ChangeTarget): {
  save: (preview: ChangePreview, channel: PaymentChannel | null, again: () => Promise<unknown>) => Promise<true | null>;
} {
  const { currency, timeZone } = useHotel();
  const meta = { shownInForm: true };
  const move = useMutation(trpc.stays.moveReservation.mutationOptions({ meta }));
  const shorten = useMutation(trpc.stays.shorten.mutationOptions({ meta }));
  const renew = useMutation(trpc.stays.renew.mutationOptions({ meta }));
  const changeRoom = useMutation(trpc.stays.changeRoom.mutationOptions({ meta }));
  const { stayId, roomId, endsAt } = target;

  async function act(
    kind: ChangePreview["kind"],
    { channel, expectedMinor, confirmDirty }: AgreedTerms,
  ): Promise<{ undo: Undo }> {
    const expectedDifferenceMinor = expectedMinor;
    if (kind === "move") return move.mutateAsync({ ...target, channel, expectedDifferenceMinor });
    if (kind === "shorten") await shorten.mutateAsync({ stayId, endsAt, channel, expectedDifferenceMinor });
    if (kind === "renew") await renew.mutateAsync({ stayId, endsAt, channel, expectedTotalMinor: expectedMinor });
    if (kind === "changeRoom") {
      await changeRoom.mutateAsync({ stayId, roomId, channel, confirmDirty, expectedDifferenceMinor });
    }
    return { undo: null };
  }

  return {
    save: async (preview, channel, again) => {
      const terms = { channel, expectedMinor: preview.differenceMinor, confirmDirty: preview.roomDirty };
      const done = await askAndRepeat<AgreedTerms, { undo: Undo }>(terms, (input) => act(preview.kind, input), {
        room_not_ready: askDirty,
        price_changed: async (failure) => {
          const accepted = await askNewPrice(failure, currency, again);
          return accepted === null ? null : { expectedMinor: accepted };
        },
      });
      if (!done) return null;
      const { guestName, to } = preview;
      const params = { guest: guestName, room: to.roomName, period: periodWords(t, to.startsAt, to.endsAt, timeZone) };
      const { undo } = done;
      toast.success(
        t("timeline.changed", params),
        undo ? { action: { label: t("timeline.undo"), onClick: () => void takeBack(undo) } } : undefined,
      );
      return true;
    },
  };
}

/** Moves the reservation back. This fails if another stay has taken the place meanwhile. */
async function takeBack(undo: NonNullable<Undo>): Promise<void> {
  try {
    await api.stays.moveReservation.mutate(undo);
    toast.success(t("timeline.undone"));
  } catch (error) {
    toast.error(failureText(failureOf(error)));
  }
}

import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { type CardWriting, useCardWriting } from "./use-card-writing.ts";

export interface GuestCards extends CardWriting {
  /** Number of cards to write now. */
  wanted: number;
  setWanted(count: number): void;
  disableOldCards: boolean;
  setDisableOldCards(on: boolean): void;
  /** Label of the button that writes the next card. */
  label: string;
  /** True while fewer cards are written than requested. */
  more: boolean;
  /** The room's lock was never set up, so no card opens it yet. */
  lockNotSetUp: boolean;
}

/** Writes the cards of a stay. By default, one for each guest who has none yet. */
export function useGuestCards(stay: StayDetail): GuestCards {
  const { t } = useTranslation();
  const seesCards = useCan()("cards.view");
  const [chosen, setChosen] = useState<number>();
  const [disableOldCards, setDisableOldCards] = useState(false);
  const cards = useQuery(trpc.cards.ofStay.queryOptions({ stayId: stay.id }, { enabled: seesCards }));
  const prepare = useMutation(trpc.cards.prepare.mutationOptions({ meta: { shownInForm: true } }));
  const writing = useCardWriting(
    (uid, overwrite) => prepare.mutateAsync({ stayId: stay.id, uid, overwrite, disableOldCards }),
    // The next card for the same room must not revoke this one.
    () => setDisableOldCards(false),
  );
  const { data: board } = useQuery(boardQuery);
  const room = board?.rooms.find(({ id }) => id === stay.room.id);
  const count = writing.written.length;
  const active = (cards.data ?? []).filter(({ state, uid }) => state === "active" && !writing.written.includes(uid));
  const cardCount = chosen ?? Math.max(1, stay.guests.length - active.length);
  const more = count < cardCount;
  const next = cardCount > 1 ? t("card.writeNth", { number: count + 1, total: cardCount }) : t("card.write");
  return {
    ...writing,
    wanted: cardCount,
    setWanted: setChosen,
    disableOldCards,
    setDisableOldCards,
    label: more ? next : t("card.another"),
    more,
    lockNotSetUp: room?.lock?.setUp === false,
  };
}

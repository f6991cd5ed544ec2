import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput, Segmented } from "@/ui/form/choice-input.tsx";
import { type CardWriting, useCardWriting, WritingPanel } from "./writing-panel.tsx";

interface GuestCards extends CardWriting {
  /** Number of cards to write now. */
  requestedCount: number;
  setRequestedCount(count: number): void;
  disableOldCards: boolean;
  setDisableOldCards(on: boolean): void;
  /** Label of the button that writes the next card. */
  label: string;
  /** True while fewer cards are written than requested. */
  hasMore: boolean;
  /** The room's lock was never set up, so no card opens it yet. */
  lockNotSetUp: boolean;
}

/** Writes the cards of a stay. By default, one for each guest who has none yet. */
export function useGuestCards(stay: StayDetail): GuestCards {
  const seesCards = useCan()("cards.view");
  const [requested, setRequested] = useState<number>();
  const [disableOldCards, setDisableOldCards] = useState(false);
  /** Whom the cards written here are for. */
  const holders = useRef(new Map<string, number>());
  const cards = useQuery(trpc.cards.ofStay.queryOptions({ stayId: stay.id }, { enabled: seesCards }));
  const prepare = useMutation(trpc.cards.prepare.mutationOptions({ meta: { shownInForm: true } }));
  const writing = useCardWriting(
    (card) => {
      const holderId = nextHolder(card.uid);
      return prepare.mutateAsync({ stayId: stay.id, ...card, disableOldCards, holderId });
    },
    // The next card for the same room must not revoke this one.
    () => setDisableOldCards(false),
  );
  /** A card that is written again stays with its guest. Any other goes to the next guest who has none. */
  function nextHolder(uid: string): number | null {
    const live = (cards.data ?? []).filter(({ state }) => state === "active");
    const chosen = holders.current.get(uid);
    if (chosen !== undefined || live.some((card) => card.uid === uid)) return chosen ?? null;
    const served = new Set([...holders.current.values(), ...live.map(({ holder }) => holder?.stayGuestId)]);
    const next = stay.guests.find(({ stayGuestId }) => !served.has(stayGuestId));
    if (next) holders.current.set(uid, next.stayGuestId);
    return next?.stayGuestId ?? null;
  }
  const { data: board } = useQuery(boardQuery);
  const room = board?.rooms.find(({ id }) => id === stay.room.id);
  const writtenCount = writing.writtenUids.length;
  const active = (cards.data ?? []).filter(
    ({ state, uid }) => state === "active" && !writing.writtenUids.includes(uid),
  );
  const cardCount = requested ?? Math.max(1, stay.guests.length - active.length);
  const hasMore = writtenCount < cardCount;
  const nextLabel =
    cardCount > 1 ? t("card.writeNth", { number: writtenCount + 1, total: cardCount }) : t("card.write");
  return {
    ...writing,
    requestedCount: cardCount,
    setRequestedCount: setRequested,
    disableOldCards,
    setDisableOldCards,
    label: hasMore ? nextLabel : t("card.another"),
    hasMore,
    lockNotSetUp: room?.lock?.setUp === false,
  };
}

const DEFAULT_COUNTS = ["1", "2", "3", "4"];
const MAX_CARDS = 8;

/**
 * Asks for the number of cards and whether older ones are revoked, and shows the progress of the card on the reader.
 */
export function GuestCardFields({ cards, room, guests }: { cards: GuestCards; room: string; guests: number }) {
  const id = useId();
  const { requestedCount, busy, writtenUids, hasMore } = cards;
  const counts = Array.from({ length: Math.min(guests, MAX_CARDS) }, (_, index) => String(index + 1));
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span id={`${id}-count`}>{t("card.howMany")}</span>
        <Segmented
          aria-labelledby={`${id}-count`}
          value={String(requestedCount)}
          onChange={(count) => cards.setRequestedCount(Number(count))}
          disabled={busy}
          options={(counts.length > DEFAULT_COUNTS.length ? counts : DEFAULT_COUNTS).map((value) => ({
            value,
            label: formatNumber(Number(value)),
            disabled: Number(value) < writtenUids.length,
          }))}
        />
      </div>
      <div className="flex items-start gap-2.5">
        <CheckboxInput
          id={id}
          value={cards.disableOldCards}
          onChange={cards.setDisableOldCards}
          disabled={busy}
          aria-describedby={`${id}-hint`}
        />
        <div>
          <label htmlFor={id}>{t("card.disableOld")}</label>
          <p id={`${id}-hint`} className="text-sm text-muted-foreground">
            {t("card.disableOldHint")}
          </p>
        </div>
      </div>
      <WritingPanel
        progress={cards.progress}
        next={hasMore && t("card.nextCard")}
        notYetOpening={cards.lockNotSetUp ? t("board.roomNamed", { name: room }) : undefined}
      />
    </div>
  );
}

import type { StayKey, StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { useMutation } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type CardWriting, useCardWriting } from "@/features/cards/writing/writing-panel.tsx";
import { trpc } from "@/lib/trpc.ts";

/** A card to write: for a guest, or in place of a card that is nobody's. */
export interface CardToWrite {
  /** unique within the stay */
  key: string;
  holderId: number | null;
  /** The guest's name; null: nobody in particular. */
  name: string | null;
}

const isWritten = ({ kind, state }: StayKey): boolean => kind === "card" && state !== "may_open" && state !== "ended";

/**
 * Returns the cards to write again first, then one for each guest without a card: for everybody, for nobody, or for the
 * guest who was added last.
 */
export function cardsToWrite({ guests, keys }: StayKeys, missingFor: "all" | "added" | "none"): CardToWrite[] {
  const nameOf = (id: number | null): string | null =>
    guests.find(({ stayGuestId }) => stayGuestId === id)?.name ?? null;
  const again = keys
    .filter(({ state }) => state === "rewrite")
    .map(({ id, stayGuestId }) => ({ key: `card:${id}`, holderId: stayGuestId, name: nameOf(stayGuestId) }));
  if (missingFor === "none") return again;
  const withoutHolder = keys.filter((key) => isWritten(key) && key.stayGuestId === null).length;
  const missing = guests
    .filter(({ stayGuestId }) => !keys.some((key) => isWritten(key) && key.stayGuestId === stayGuestId))
    .slice(withoutHolder)
    .map(({ stayGuestId, name }) => ({ key: `guest:${stayGuestId}`, holderId: stayGuestId, name }));
  return [...again, ...(missingFor === "added" ? missing.slice(-1) : missing)];
}

export interface KeyWriting extends CardWriting {
  /** Cards that are still to be written, the next one first. */
  queue: readonly CardToWrite[];
  /** Writes the card on the reader for somebody. */
  writeFor(card: CardToWrite): void;
  disableOldCards: boolean;
  setDisableOldCards(on: boolean): void;
}

/** Writes the cards of a stay one after the other, each for its guest. */
export function useKeyWriting(stayId: number, cards: readonly CardToWrite[]): KeyWriting {
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set());
  const [disableOldCards, setDisableOldCards] = useState(false);
  const current = useRef<CardToWrite>(undefined);
  const prepare = useMutation(trpc.cards.prepare.mutationOptions({ meta: { shownInForm: true } }));
  const writing = useCardWriting(
    (card) => prepare.mutateAsync({ stayId, ...card, disableOldCards, holderId: current.current?.holderId ?? null }),
    () => {
      // The next card of the party must not revoke this one.
      setDisableOldCards(false);
      const key = current.current?.key;
      if (key !== undefined) setWritten((before) => new Set([...before, key]));
    },
  );
  return {
    ...writing,
    // The list of keys follows a moment later; until then, a card that was just written would be offered again.
    queue: cards.filter(({ key }) => !written.has(key)),
    writeFor(card) {
      if (writing.busy) return;
      current.current = card;
      writing.write();
    },
    disableOldCards,
    setDisableOldCards,
  };
}

/**
 * Returns the ref of a dialog's main button, which gets the focus when a card was written or refused: after the last
 * card, the button that writes makes way for the one that closes.
 */
export function useFocusAfterWriting({ progress }: CardWriting): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (progress.state === "done" || progress.state === "failed") button.current?.focus();
  }, [progress]);
  return button;
}

import type { BoardRoom } from "@innkey/shared/schemas/rooms";
import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useMemo } from "react";
import { usePaper } from "@/lib/use-paper.ts";
import { useBox } from "@/ui/use-box.ts";
import type { BoardSection } from "./board-view.ts";

export type CardRow =
  | { kind: "heading"; name: string | null; count: number }
  | { kind: "cards"; rooms: BoardRoom[]; first: number };

const remPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

function rowsOf(sections: readonly BoardSection[], columns: number): CardRow[] {
  const headed = sections.some((section) => section.name !== null);
  let first = 0;
  return sections.flatMap(({ name, rooms }) => {
    const rows: CardRow[] = headed ? [{ kind: "heading", name, count: rooms.length }] : [];
    for (let at = 0; at < rooms.length; at += columns) {
      const row = rooms.slice(at, at + columns);
      rows.push({ kind: "cards", rooms: row, first });
      first += row.length;
    }
    return rows;
  });
}

function keyOf(row: CardRow | undefined, index: number): string {
  if (row?.kind === "cards") return `cards ${row.rooms[0]?.id}`;
  return row ? `heading ${row.name}` : String(index);
}

export type CardRows = {
  rows: CardRow[];
  columns: number;
  items: VirtualItem[];
  height: number;
  offset: number;
  showRow: (index: number) => void;
};

/** Height of the navbar at the top of the window, in pixels. */
const BAR_PIXELS = 56;

type Sizes = { /** Minimum width of a card. */ minRem: number; cardRem: number; gapRem: number; headingRem: number };

/** Splits the board into rows of cards that fit the width, and returns the rows that are near the viewport. */
export function useCardRows(
  ref: RefObject<HTMLElement | null>,
  sections: readonly BoardSection[],
  sizes: Sizes,
): CardRows {
  const { width, top } = useBox(ref);
  const paper = usePaper();
  const rem = remPixels();
  const { minRem, cardRem, gapRem, headingRem } = sizes;
  const columns = Math.max(width < 24 * rem ? 2 : 3, Math.floor((width + gapRem * rem) / ((minRem + gapRem) * rem)));
  const rows = useMemo(() => rowsOf(sections, columns), [sections, columns]);
  // Passing a new function makes the virtualizer measure the sizes again.
  const getItemKey = useCallback((index: number) => keyOf(rows[index], index), [rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => rem * (rows[index]?.kind === "heading" ? headingRem : cardRem + gapRem),
    getItemKey,
    overscan: paper ? rows.length : 2,
    scrollMargin: top,
    scrollPaddingStart: BAR_PIXELS + headingRem * rem,
    scrollPaddingEnd: gapRem * rem,
  });
  const showRow = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: "auto" }), [virtualizer]);
  return {
    rows,
    columns,
    items: width === 0 ? [] : virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    offset: top,
    showRow,
  };
}

import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type BoardMarks, markOf } from "@/entities/room/board-marks.ts";
import type { RoomActions } from "@/entities/room/room-actions.ts";
import { formatNumber } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { useIsPrinting } from "@/ui/printing.tsx";
import { useBox } from "@/ui/use-box.ts";
import type { BoardSection, BoardView } from "./board-view.ts";
import { CARD_REM, GAP_REM, MIN_CARD_REM, RoomCard } from "./room-card.tsx";

type CardRow =
  | { kind: "heading"; name: string | null; count: number }
  | { kind: "cards"; rooms: BoardRoom[]; first: number };

const remPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

function rowsOf(sections: readonly BoardSection[], columns: number): CardRow[] {
  const hasHeadings = sections.some((section) => section.name !== null);
  let first = 0;
  return sections.flatMap(({ name, rooms }) => {
    const rows: CardRow[] = hasHeadings ? [{ kind: "heading", name, count: rooms.length }] : [];
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

type CardRows = {
  rows: CardRow[];
  columns: number;
  items: VirtualItem[];
  height: number;
  offset: number;
  showRow: (index: number) => void;
};

/** Height of the navbar at the top of the window, in pixels. */
const NAVBAR_PIXELS = 56;

type Sizes = { /** Minimum width of a card. */ minRem: number; cardRem: number; gapRem: number; headingRem: number };

/** Splits the board into rows of cards that fit the width, and returns the rows that are near the viewport. */
function useCardRows(ref: RefObject<HTMLElement | null>, sections: readonly BoardSection[], sizes: Sizes): CardRows {
  const { width, top } = useBox(ref);
  const isPrinting = useIsPrinting();
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
    overscan: isPrinting ? rows.length : 2,
    scrollMargin: top,
    scrollPaddingStart: NAVBAR_PIXELS + headingRem * rem,
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

const SIZES = { minRem: MIN_CARD_REM, cardRem: CARD_REM, gapRem: GAP_REM, headingRem: 2.25 };

type BoardCardsProps = {
  view: BoardView;
  clock: HotelClock;
  actionsOf: (room: BoardRoom) => RoomActions;
  marks: BoardMarks;
  /** Selected rooms; null while selection is off. */
  selection: ReadonlySet<number> | null;
  onToggle: (roomId: number) => void;
  onOpen: (roomId: number) => void;
};

/** Returns the room that an arrow key leads to: the next one in the row, or the nearest card in the next row. */
function neighbour(rows: readonly CardRow[], roomId: number, key: string): { roomId: number; row: number } | undefined {
  const lines = rows.flatMap((row, index) => (row.kind === "cards" ? [{ rooms: row.rooms, index }] : []));
  const at = lines.findIndex(({ rooms }) => rooms.some((room) => room.id === roomId));
  const column = lines[at]?.rooms.findIndex((room) => room.id === roomId) ?? -1;
  const cards = lines.flatMap(({ rooms, index }) => rooms.map((room) => ({ roomId: room.id, row: index })));
  const position = cards.findIndex((entry) => entry.roomId === roomId);
  const forward = language.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = language.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (key === forward) return cards[position + 1];
  if (key === back) return cards[position - 1];
  if (key === "Home") return cards[0];
  if (key === "End") return cards.at(-1);
  const line = key === "ArrowDown" ? lines[at + 1] : key === "ArrowUp" ? lines[at - 1] : undefined;
  const room = line?.rooms[Math.min(column, line.rooms.length - 1)];
  return line && room && { roomId: room.id, row: line.index };
}

export function BoardCards({ view, clock, actionsOf, marks, selection, onToggle, onOpen }: BoardCardsProps) {
  const hotel = useHotel();
  const list = useRef<HTMLUListElement>(null);
  const roomToFocus = useRef<number | null>(null);
  const [activeId, setActiveId] = useState<number>();
  const { rows, columns, items, height, offset, showRow } = useCardRows(list, view.sections, SIZES);
  const tabbableId = view.rooms.some((room) => room.id === activeId) ? activeId : view.rooms[0]?.id;

  useEffect(() => {
    if (roomToFocus.current === null) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-room="${roomToFocus.current}"]`);
    if (!card) return;
    roomToFocus.current = null;
    card.focus();
  });

  const moveFocus = useCallback(
    (event: KeyboardEvent, from: number): void => {
      const next = neighbour(rows, from, event.key);
      if (!next) return;
      event.preventDefault();
      roomToFocus.current = next.roomId;
      setActiveId(next.roomId);
      showRow(next.row);
    },
    [rows, showRow],
  );

  return (
    <ul
      ref={list}
      aria-label={t("board.title")}
      className="relative print:grid print:h-auto! print:grid-cols-4 print:gap-2"
      style={{ height }}
    >
      {items.flatMap((item) => {
        const row = rows[item.index];
        if (!row) return [];
        const top = item.start - offset;
        if (row.kind === "heading") {
          return (
            <li
              key={item.key}
              className="absolute inset-x-0 flex items-end gap-2 pb-1.5 print:static print:col-span-full print:h-auto! print:break-after-avoid print:pt-3 print:pb-0"
              style={{ top, height: item.size }}
            >
              <h2 className="text-sm font-semibold">{row.name ?? t("board.noGroup")}</h2>
              <span className="text-sm text-muted-foreground">{formatNumber(row.count)}</span>
            </li>
          );
        }
        return row.rooms.map((room, column) => (
          <RoomCard
            key={room.id}
            room={room}
            clock={clock}
            hotel={hotel}
            actionsOf={actionsOf}
            mark={markOf(room, marks, clock)}
            top={top}
            column={column}
            columns={columns}
            active={room.id === tabbableId}
            onActive={setActiveId}
            onWalk={moveFocus}
            position={row.first + column + 1}
            total={view.rooms.length}
            selected={selection === null ? null : selection.has(room.id)}
            onToggle={onToggle}
            onOpen={onOpen}
          />
        ));
      })}
    </ul>
  );
}

const SKELETON_CARDS = Array.from({ length: 35 }, (_, index) => index);

/** Placeholder for the board while it loads. It has the same heights, so the layout doesn't jump. */
export function BoardSkeleton() {
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="mt-1.5 mb-2 h-5 w-36" />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2 max-sm:grid-cols-2">
        {SKELETON_CARDS.map((card) => (
          <div key={card} className="rounded-lg border bg-card px-2.5 py-2" style={{ height: `${CARD_REM}rem` }}>
            <Skeleton className="h-5 w-20" />
            <Skeleton className="mt-2 h-4 w-24" />
            <Skeleton className="mt-2 h-3 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}

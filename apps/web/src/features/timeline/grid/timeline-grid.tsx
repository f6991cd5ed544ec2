// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the grid at a time can have the focus, never a line itself
// biome-ignore-all lint/a11y/useSemanticElements: bars span the cells of a line, which a table's cells can't let them
import type { Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useMemo, useRef } from "react";
import { usePaper } from "@/lib/browser/use-paper.ts";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useBox } from "@/ui/chart/use-box.ts";
import { type Draft, inTheWay, targetOf } from "../change/change-draft.ts";
import { isWeekend, TimelineHeader } from "../timeline-header.tsx";
import { periodWords } from "../timeline-words.ts";
import { offsetOf, scaleOf, spanOf, type TimeScale } from "./time-scale.ts";
import { type Ghost, GroupRow, TimelineRow } from "./timeline-row.tsx";
import type { TimelineLine } from "./timeline-rows.ts";
import { lineKey } from "./timeline-stops.ts";
import { useDraw } from "./use-draw.ts";
import { useGridKeys } from "./use-grid-keys.ts";

type GridProps = {
  timeline: Timeline;
  lines: readonly TimelineLine[];
  today: string;
  now: number;
  canManage: boolean;
  draft: Draft | null;
  onDraft: (draft: Draft | null) => void;
  onDrop: (draft: Draft) => void;
  /** Handles M (move) and E (extend) on a bar. */
  onMode: (bar: TimelineBar, mode: "move" | "extend") => void;
  /** Handles Shift and an arrow key on a free night, which selects several nights. */
  onStretch: (roomId: number, date: string) => void;
  onOpen: (bar: TimelineBar, element: HTMLElement) => void;
  onCell: (roomId: number, date: string) => void;
  onToggle: (groupId: number) => void;
  /** Shows earlier or later days. */
  onPage: (direction: 1 | -1) => void;
};

/** Grid of rooms by days. One stop is in the tab order; arrow keys move from there between nights and bars. */
export function TimelineGrid(props: GridProps) {
  const { timeline, lines, today, now, canManage, draft, onOpen, onCell, onToggle } = props;
  const { t } = useTranslation();
  const hotel = useHotel();
  const { timeZone } = hotel;
  const body = useRef<HTMLDivElement>(null);
  const { items, height, offset, show } = useLineRows(body, lines);
  const scale = useMemo(() => scaleOf(timeline), [timeline]);
  const dates = useMemo(() => timeline.days.map(({ date }) => date), [timeline.days]);
  const days = useMemo(
    () =>
      dates.map((date) => ({
        date,
        label: formatLocalDate(date, { weekday: "long", day: "numeric", month: "long" }),
        past: date < today,
      })),
    [dates, today],
  );
  const draw = useDraw(props);
  const { at, stop, onKeyDown, onFocus } = useGridKeys({ ...props, dates, scale, body, show });

  const ghostOf = useMemo(() => {
    if (!draft) return null;
    const target = targetOf(draft, hotel);
    const span = spanOf(scale, target.startsAt, target.endsAt);
    if (!span) return null;
    const blocked = inTheWay(timeline.bars, draft, target).length > 0 || target.endsAt <= target.startsAt;
    const ghost: Ghost = { span, blocked, words: periodWords(t, target.startsAt, target.endsAt, timeZone) };
    return { roomId: target.roomId, ghost };
  }, [draft, hotel, scale, timeline.bars, t, timeZone]);

  return (
    <div
      role="grid"
      aria-label={t("nav.timeline")}
      aria-rowcount={lines.length + 1}
      aria-colcount={days.length + 1}
      className="relative touch-pan-y select-none rounded-lg border bg-card [--head:5.5rem] sm:[--head:11rem]"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      {...draw}
    >
      <TimelineHeader timeline={timeline} today={today} />
      <div className="relative overflow-clip rounded-b-lg" style={{ height }}>
        <TimelineDays days={timeline.days} scale={scale} today={today} now={now} />
        <div role="rowgroup" ref={body} className="absolute inset-0">
          {items.map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            const shared = { index: item.index, top: item.start - offset, height: item.size };
            const isActive = item.index === at;
            if (line.kind === "group") {
              return (
                <GroupRow
                  key={item.key}
                  line={line}
                  {...shared}
                  columns={days.length + 1}
                  active={isActive}
                  onToggle={onToggle}
                />
              );
            }
            const lifted = draft && draft.kind !== "create" && draft.bar.roomId === line.room.id;
            return (
              <TimelineRow
                key={item.key}
                line={line}
                {...shared}
                days={days}
                scale={scale}
                timeZone={timeZone}
                now={now}
                canManage={canManage}
                activeKey={isActive ? (stop?.key ?? null) : null}
                lifted={lifted ? draft.bar.occupancyId : null}
                ghost={ghostOf?.roomId === line.room.id ? ghostOf.ghost : null}
                onOpen={onOpen}
                onCell={onCell}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

type DaysProps = { days: Timeline["days"]; scale: TimeScale; today: string; now: number };

/** Background of the lines: borders between days, weekends, today, and the current time. */
function TimelineDays({ days, scale, today, now }: DaysProps) {
  const visible = now >= (scale.starts[0] ?? 0) && now < scale.end;
  return (
    <div aria-hidden className="absolute inset-y-0 start-(--head) end-0 flex">
      {days.map(({ date }) => (
        <div
          key={date}
          className={cn(
            "flex-1 border-e border-border/60 last:border-e-0",
            isWeekend(date) && "bg-sunken",
            date === today && "bg-brass-soft/60",
          )}
        />
      ))}
      {visible && (
        <div
          className="absolute inset-y-0 z-10 w-px bg-brass"
          style={{ insetInlineStart: `${(offsetOf(scale, now) / days.length) * 100}%` }}
        />
      )}
    </div>
  );
}

const ROOM_PIXELS = 40;
const GROUP_PIXELS = 32;
/** Height of the navbar and the day headings at the top of the window, in pixels. */
const COVERED_PIXELS = 56 + 64;

/** Returns the lines near the viewport and their positions. */
function useLineRows(ref: RefObject<HTMLElement | null>, lines: readonly TimelineLine[]) {
  const { width, top } = useBox(ref);
  const getItemKey = useCallback((index: number) => (lines[index] ? lineKey(lines[index]) : index), [lines]);
  const paper = usePaper();
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === "group" ? GROUP_PIXELS : ROOM_PIXELS),
    getItemKey,
    overscan: paper ? lines.length : 6,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PIXELS,
    scrollPaddingEnd: ROOM_PIXELS * 2,
  });
  const show = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: "auto" }), [virtualizer]);
  return {
    items: width === 0 ? [] : virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    offset: top,
    show,
  };
}

// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the grid at a time can have the focus, never a line
// itself
// biome-ignore-all lint/a11y/useSemanticElements: bars span the cells of a line, which a table's cells can't let them
import type { Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { LogIn, LogOut } from "lucide-react";
import { type RefObject, useCallback, useMemo, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useIsPrinting } from "@/ui/printing.tsx";
import { useBox } from "@/ui/use-box.ts";
import { conflictsOf, type Draft, targetOf } from "../change/change-draft.ts";
import { periodLabel } from "../timeline-labels.ts";
import { lineKey, offsetOf, scaleOf, spanOf, type TimeScale } from "./grid-position.ts";
import { type Ghost, GroupRow, TimelineRow } from "./timeline-row.tsx";
import type { TimelineLine } from "./timeline-rows.ts";
import { useDraw, useGridKeys } from "./use-grid-input.ts";

/** Number of days above which columns have room only for the day. */
const WIDE_DAYS = 14;

/** Checks for Saturday or Sunday. The nights with weekend prices are a separate setting. */
const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

type HeaderProps = { timeline: Timeline; today: string };

/** Counts the arrivals still to come and the departures of each day. Ended bars are left out. */
function trafficOf({ bars, days, endsAt }: Timeline): { arriving: number; leaving: number }[] {
  const edges = [...days.map(({ startsAt }) => startsAt), endsAt];
  const stays = bars.flatMap(({ stay, state }) => (stay && state !== "ended" ? [stay] : []));
  return days.map((_, day) => {
    const [from = "", to = ""] = [edges[day], edges[day + 1]];
    const isOnDay = (instant: string): boolean => instant >= from && instant < to;
    return {
      arriving: stays.filter(({ state, startsAt }) => state === "reserved" && isOnDay(startsAt)).length,
      leaving: stays.filter(({ endsAt: leaves }) => isOnDay(leaves)).length,
    };
  });
}

/** Headings of the days, with arrivals and departures where there is room. */
function TimelineHeader({ timeline, today }: HeaderProps) {
  const { days } = timeline;
  const traffic = trafficOf(timeline);
  const isWide = days.length <= WIDE_DAYS;
  return (
    <div role="rowgroup" className="sticky top-[calc(3.5rem+var(--connection-bar))] z-40 rounded-t-lg border-b bg-card">
      <div role="row" aria-rowindex={1} className="flex">
        <div
          role="columnheader"
          className="flex w-(--head) shrink-0 items-end border-e px-2 py-1.5 text-sm font-medium text-muted-foreground sm:px-3"
        >
          {t("board.room")}
        </div>
        <div className="flex min-w-0 flex-1">
          {days.map(({ date }, at) => {
            const { arriving = 0, leaving = 0 } = traffic[at] ?? {};
            const first = at === 0 || date.endsWith("-01");
            return (
              <div
                key={date}
                role="columnheader"
                aria-colindex={at + 2}
                aria-current={date === today ? "date" : undefined}
                className={cn(
                  "min-w-0 flex-1 overflow-hidden border-e py-1 text-center text-xs last:border-e-0",
                  isWeekend(date) ? "bg-sunken text-foreground" : "text-muted-foreground",
                  date === today && "bg-brass-soft font-semibold text-brass-ink",
                )}
              >
                <span className="sr-only">{formatLocalDate(date, { dateStyle: "full" })}</span>
                <span aria-hidden className="block truncate">
                  {formatLocalDate(date, { weekday: isWide ? "short" : "narrow" })}
                </span>
                <span aria-hidden className="block text-sm font-semibold whitespace-nowrap tabular-nums max-sm:text-xs">
                  {formatLocalDate(date, isWide && first ? { day: "numeric", month: "short" } : { day: "numeric" })}
                </span>
                {isWide && (
                  <span className="flex h-4 items-center justify-center gap-1.5 tabular-nums max-sm:hidden">
                    {arriving > 0 && (
                      <span
                        className="inline-flex items-center gap-0.5"
                        title={t("timeline.arrivals", { count: arriving })}
                      >
                        <LogIn aria-hidden className="flip-rtl size-3" />
                        <span className="sr-only">{t("timeline.arrivals", { count: arriving })}</span>
                        <span aria-hidden>{formatNumber(arriving)}</span>
                      </span>
                    )}
                    {leaving > 0 && (
                      <span
                        className="inline-flex items-center gap-0.5"
                        title={t("timeline.departures", { count: leaving })}
                      >
                        <LogOut aria-hidden className="flip-rtl size-3" />
                        <span className="sr-only">{t("timeline.departures", { count: leaving })}</span>
                        <span aria-hidden>{formatNumber(leaving)}</span>
                      </span>
                    )}
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

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
    const blocked = conflictsOf(timeline.bars, draft, target).length > 0 || target.endsAt <= target.startsAt;
    const ghost: Ghost = { span, blocked, label: periodLabel(target.startsAt, target.endsAt, timeZone) };
    return { roomId: target.roomId, ghost };
  }, [draft, hotel, scale, timeline.bars, timeZone]);

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
  const isPrinting = useIsPrinting();
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === "group" ? GROUP_PIXELS : ROOM_PIXELS),
    getItemKey,
    overscan: isPrinting ? lines.length : 6,
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

// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the grid at a time can have the focus, never a line
// itself
// biome-ignore-all lint/a11y/useSemanticElements: bars span the cells of a line, which a table's cells can't let them
import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { Ban, Banknote, ChevronDown, ChevronRight, Coffee, WifiOff } from "lucide-react";
import { memo } from "react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { WithTooltip } from "@/ui/action/icon-button.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";
import { isStayBar } from "../change/change-draft.ts";
import { type BarTone, barLabels, barName, toneOf } from "../timeline-labels.ts";
import { barEnd, barKey, cellKey, type Span, spanOf, type TimeScale } from "./grid-position.ts";
import type { GroupLine, RoomLine } from "./timeline-rows.ts";

const BAR_STYLE: Record<BarTone, string> = {
  reserved: "border-reserved/45 bg-reserved-soft text-reserved",
  checkedIn: "border-checked-in/45 bg-checked-in-soft text-checked-in",
  expired: "border-expired/60 bg-expired-soft text-expired",
  maintenance: "hatched border-maintenance/45 bg-maintenance-soft text-maintenance",
  neutral: "border-border bg-sunken text-muted-foreground",
};

/** Returns position and width as percentages of the line. */
function positionStyle({ from, to }: Pick<Span, "from" | "to">, days: number) {
  return { insetInlineStart: `${(from / days) * 100}%`, width: `${((to - from) / days) * 100}%` };
}

/**
 * Shares of the displayed days. A bar of at least the first has room for marks beside the name; one below the second
 * shows only its icon.
 */
const ROOMY_SHARE = 0.09;
const TINY_SHARE = 0.025;

type BarProps = {
  bar: TimelineBar;
  span: Span;
  days: number;
  timeZone: string;
  canManage: boolean;
  active: boolean;
  /** True while the bar is being dragged elsewhere. */
  lifted: boolean;
  onOpen: (bar: TimelineBar, element: HTMLElement) => void;
};

/** Bar for a stay's time in a room, to the hour. If the stay can still change, its end is a handle. */
const Bar = memo(function Bar({ bar, span, days, timeZone, canManage, active, lifted, onOpen }: BarProps) {
  const tone = toneOf(bar);
  const Icon = STATUS_ICONS[tone];
  const labels = barLabels(bar, timeZone);
  const isMovable = canManage && isStayBar(bar);
  const share = (span.to - span.from) / days;
  const [isRoomy, isTiny] = [share > ROOMY_SHARE, share < TINY_SHARE];
  return (
    <WithTooltip
      content={
        <span className="grid gap-0.5 text-start">
          {labels.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      }
    >
      <button
        type="button"
        tabIndex={active ? 0 : -1}
        data-bar={bar.occupancyId}
        data-stop={barKey(bar)}
        aria-label={labels.join(", ")}
        aria-haspopup={bar.stay ? "menu" : undefined}
        style={positionStyle(span, days)}
        onClick={(event) => onOpen(bar, event.currentTarget)}
        className={cn(
          "absolute inset-y-1 z-10 flex min-w-1.5 items-center gap-1 overflow-hidden rounded-sm border px-1.5 text-start text-sm font-medium select-none focus-visible:z-20 focus-visible:outline-offset-0",
          BAR_STYLE[tone],
          span.cutStart && "rounded-s-none border-s-0",
          span.cutEnd && "rounded-e-none border-e-0",
          isMovable && "cursor-grab",
          isTiny && "justify-center px-0",
          lifted && "border-dashed bg-card",
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2.25} />
        {!isTiny && (
          <span aria-hidden dir="auto" className="name-run min-w-0 flex-1 truncate">
            {barName(bar)}
          </span>
        )}
        {isRoomy && bar.stay?.owed && <Banknote aria-hidden className="size-3.5 shrink-0" />}
        {isRoomy && bar.stay?.breakfast && <Coffee aria-hidden className="size-3.5 shrink-0 max-sm:hidden" />}
        {isMovable && !span.cutEnd && (
          <span data-edge aria-hidden className="absolute inset-y-0 end-0 w-2 cursor-ew-resize pointer-coarse:hidden" />
        )}
      </button>
    </WithTooltip>
  );
});

/** Preview of the draft in this line. */
export type Ghost = { span: Span; blocked: boolean; label: string };
type DayLabel = { date: string; label: string; past: boolean };

const STATUS_TONE = {
  vacant: "vacant",
  reserved: "reserved",
  checked_in: "checkedIn",
  dirty: "dirty",
  maintenance: "maintenance",
} as const;

type RowProps = {
  line: RoomLine;
  index: number;
  top: number;
  height: number;
  days: readonly DayLabel[];
  scale: TimeScale;
  timeZone: string;
  now: number;
  canManage: boolean;
  /** Key of the stop in this line that is in the tab order. */
  activeKey: string | null;
  lifted: number | null;
  ghost: Ghost | null;
  onOpen: (bar: TimelineBar, element: HTMLElement) => void;
  onCell: (roomId: number, date: string) => void;
};

/** Line of one room: its nights are cells, and each bar is inside the cell in which it starts. */
export const TimelineRow = memo(function TimelineRow(props: RowProps) {
  const { line, index, top, height, days, scale, timeZone, now, canManage, activeKey, lifted, ghost, onOpen, onCell } =
    props;
  const { room } = line;
  const bars = line.bars.flatMap((bar) => {
    const span = spanOf(scale, bar.startsAt, barEnd(bar, now));
    return span ? [{ bar, span }] : [];
  });
  const StatusIcon = STATUS_ICONS[STATUS_TONE[room.status]];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-line={`r${room.id}`}
      data-room={room.id}
      className="absolute inset-x-0 flex border-b border-border/60"
      style={{ top, height }}
    >
      <div
        role="rowheader"
        className="sticky start-0 z-30 flex w-(--head) shrink-0 items-center gap-1.5 border-e bg-card px-2 sm:px-3"
      >
        <StatusIcon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
        <span className="sr-only">{t(`status.${room.status}`)}</span>
        <bdi className="figures shrink-0 text-lg">{room.name}</bdi>
        <span dir="auto" className="name-run min-w-0 flex-1 truncate text-sm text-muted-foreground max-sm:hidden">
          {room.remarkName}
        </span>
        {room.lockOnline === false && (
          <>
            <WifiOff aria-hidden className="size-3.5 shrink-0 text-expired max-sm:hidden" />
            <span className="sr-only">{t("room.offline")}</span>
          </>
        )}
      </div>
      <div className="relative flex min-w-0 flex-1" data-days>
        {days.map(({ date, label, past }, day) => {
          const startingBars = bars.filter(({ span }) => Math.min(Math.floor(span.from), days.length - 1) === day);
          const occupied = bars.filter(
            ({ bar, span }) => bar.state !== "ended" && span.from < day + 1 && span.to > day + 0.75,
          );
          const key = cellKey(date);
          const free = occupied.length === 0;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens for keys
            <div
              key={date}
              role="gridcell"
              aria-colindex={day + 2}
              aria-label={
                startingBars.length > 0
                  ? undefined
                  : t(free ? "timeline.freeNight" : "timeline.takenNight", { room: room.name, day: label })
              }
              data-stop={free ? key : undefined}
              tabIndex={free ? (activeKey === key ? 0 : -1) : undefined}
              onClick={(event) => {
                if (free && event.target === event.currentTarget) onCell(room.id, date);
              }}
              className={cn(
                "flex-1 focus-visible:z-20 focus-visible:-outline-offset-2",
                free && canManage && !past && "cursor-cell hover:bg-hover",
              )}
            >
              {startingBars.map(({ bar, span }) => (
                <Bar
                  key={bar.occupancyId}
                  bar={bar}
                  span={span}
                  days={days.length}
                  timeZone={timeZone}
                  canManage={canManage}
                  active={activeKey === `bar:${bar.occupancyId}`}
                  lifted={lifted === bar.occupancyId}
                  onOpen={onOpen}
                />
              ))}
            </div>
          );
        })}
        {ghost && (
          <div
            aria-hidden
            style={positionStyle(ghost.span, days.length)}
            className={cn(
              "pointer-events-none absolute inset-y-0.5 z-20 flex items-center gap-1 overflow-hidden rounded-sm border-2 border-dashed px-1.5 text-sm font-medium shadow-float",
              ghost.blocked
                ? "hatched border-danger bg-danger-soft text-danger"
                : "border-brass bg-brass-soft text-brass-ink",
            )}
          >
            {ghost.blocked && <Ban className="size-3.5 shrink-0" />}
            <span dir="auto" className="name-run truncate">
              {ghost.label}
            </span>
          </div>
        )}
      </div>
    </div>
  );
});

type GroupRowProps = {
  line: GroupLine;
  index: number;
  top: number;
  height: number;
  columns: number;
  active: boolean;
  onToggle: (groupId: number) => void;
};

/** Heading of a room group, which collapses its rooms. */
export function GroupRow({ line, index, top, height, columns, active, onToggle }: GroupRowProps) {
  const Chevron = line.open ? ChevronDown : ChevronRight;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-line={`g${line.id}`}
      className="absolute inset-x-0 flex border-b bg-sunken"
      style={{ top, height }}
    >
      <div role="gridcell" aria-colspan={columns} className="flex w-full">
        <button
          type="button"
          data-stop="group"
          tabIndex={active ? 0 : -1}
          aria-expanded={line.open}
          onClick={() => onToggle(line.id)}
          className="flex items-center gap-1.5 px-2 text-sm font-semibold focus-visible:-outline-offset-2 sm:px-3"
        >
          <Chevron aria-hidden className={cn("size-4 text-muted-foreground", !line.open && "flip-rtl")} />
          {line.name ?? t("board.noGroup")}
          <span className="font-normal text-muted-foreground">{formatNumber(line.count)}</span>
        </button>
      </div>
    </div>
  );
}

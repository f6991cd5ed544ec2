import { addDays, addMonths, atLocal } from "@innkey/shared/hotel-time";
import type { Traffic } from "@innkey/shared/schemas/access/unlocks";
import { type KeyboardEvent, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatNumber, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { ChartTable } from "@/ui/chart/chart-table.tsx";

type TrafficSpan = "day" | "month";

const HOURS_PER_TICK = 3;
const DAYS_PER_TICK = 5;

const twoDigits = (figure: number): string => String(figure).padStart(2, "0");

/** Returns the hours of a day or the days of a month as bars. */
export function barsOf({ buckets }: Traffic, span: TrafficSpan, date: string, zone: string): TrafficBar[] {
  return buckets.map(({ bucket, opened, refused }) => {
    const figures = { key: bucket, opened, refused };
    if (span === "month") {
      const day = `${date.slice(0, 7)}-${twoDigits(bucket)}`;
      const from = atLocal(day, "00:00", zone);
      const to = atLocal(addDays(day, 1), "00:00", zone);
      const tick = bucket === 1 || bucket % DAYS_PER_TICK === 0 ? formatNumber(bucket) : "";
      return { ...figures, tick, when: formatLocalDate(day, { day: "numeric", month: "long" }), from, to };
    }
    const from = atLocal(date, `${twoDigits(bucket)}:00`, zone);
    const to =
      bucket === 23 ? atLocal(addDays(date, 1), "00:00", zone) : atLocal(date, `${twoDigits(bucket + 1)}:00`, zone);
    const tick = bucket % HOURS_PER_TICK === 0 ? formatNumber(bucket, { minimumIntegerDigits: 2 }) : "";
    return { ...figures, tick, when: `${formatTime(from, zone)} – ${formatTime(to, zone)}`, from, to };
  });
}

/** Returns the number of bars in a span. Data with another number of bars belong to another span. */
export function barCount(date: string, span: TrafficSpan): number {
  return span === "day" ? 24 : Number(addDays(addMonths(`${date.slice(0, 7)}-01`, 1), -1).slice(8));
}

/** Returns a date in the previous or next span. */
export function shiftSpan(date: string, span: TrafficSpan, by: 1 | -1): string {
  return span === "day" ? addDays(date, by) : addMonths(`${date.slice(0, 7)}-01`, by);
}

export const spanText = (date: string, span: TrafficSpan): string =>
  formatLocalDate(date, span === "day" ? { dateStyle: "full" } : { month: "long", year: "numeric" });

/** Number of opened and refused attempts in an hour or a day. */
interface TrafficBar {
  key: number;
  /** Label below the bar; "" if there is no space for it. */
  tick: string;
  /** "14:00–15:00", "21 November" */
  when: string;
  opened: number;
  refused: number;
  from: string;
  to: string;
}

type TrafficBarsProps = {
  title: string;
  /** Unit of a bar, the heading in the table of bars. */
  unit: string;
  bars: readonly TrafficBar[];
  selectedFrom: string | undefined;
  onChoose: (bar: TrafficBar) => void;
  className?: string;
};

const AXIS_TOPS = [10, 12, 16, 20, 24, 30, 40, 50, 60, 80];

/** Returns the upper end of the axis: the next round value whose half is round, too. */
function axisTop(maximum: number): number {
  if (maximum <= 8) return Math.max(2, 2 * Math.ceil(maximum / 2));
  for (let power = 1; ; power *= 10) {
    const top = AXIS_TOPS.find((value) => value * power >= maximum);
    if (top) return top * power;
  }
}

/**
 * Chart of opened and refused attempts, stacked. Arrow keys move between bars, each bar names its figures, and Enter
 * filters the list by it.
 */
export function TrafficBars({ title, unit, bars, selectedFrom, onChoose, className }: TrafficBarsProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const [tabbableIndex, setTabbableIndex] = useState(0);
  const top = axisTop(Math.max(...bars.map(({ opened, refused }) => opened + refused)));
  const figures = ({ opened, refused }: Pick<TrafficBar, "opened" | "refused">): string =>
    t("doors.traffic.figures", { opened: formatNumber(opened), refused: formatNumber(refused) });
  const total = bars.reduce((sum, bar) => ({ opened: sum.opened + bar.opened, refused: sum.refused + bar.refused }), {
    opened: 0,
    refused: 0,
  });
  const activeBar = activeIndex === null ? undefined : bars[activeIndex];
  const columns = { gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` };

  function moveFocus(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: index + forward, ArrowLeft: index - forward, Home: 0, End: bars.length - 1 }[event.key];
    const next = to === undefined ? null : event.currentTarget.parentElement?.children[to];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <figure aria-label={title} className={className}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
        <p className="min-h-5 tabular-nums">
          {activeBar && <span className="font-medium">{activeBar.when} · </span>}
          {figures(activeBar ?? total)}
        </p>
        <p aria-hidden className="flex gap-4 text-muted-foreground">
          <span className="inline-flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs bg-vacant" />
            {t("room.opened")}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs bg-danger" />
            {t("room.refused")}
          </span>
        </p>
      </div>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 text-xs text-muted-foreground tabular-nums">
        <div aria-hidden className="-my-2 flex flex-col justify-between text-end">
          {[top, top / 2, 0].map((mark) => (
            <span key={mark} className="leading-4">
              {formatNumber(mark)}
            </span>
          ))}
        </div>
        <div className="relative h-36">
          <BarChart
            title={title}
            bars={bars.map(({ key, opened, refused }) => ({
              key,
              above: [
                { value: opened, className: "fill-vacant" },
                { value: refused, className: "fill-danger" },
              ],
            }))}
            top={top}
            lines={[0, top / 2, top]}
            className="absolute inset-0 size-full"
          />
          <div className="absolute inset-0 grid" style={columns}>
            {bars.map((bar, index) => (
              <button
                key={bar.key}
                type="button"
                tabIndex={index === tabbableIndex ? 0 : -1}
                aria-label={`${bar.when}: ${figures(bar)}`}
                aria-pressed={bar.from === selectedFrom}
                onClick={() => onChoose(bar)}
                onKeyDown={(event) => moveFocus(event, index)}
                onFocus={() => {
                  setTabbableIndex(index);
                  setActiveIndex(index);
                }}
                onBlur={() => setActiveIndex(null)}
                onMouseEnter={() => setActiveIndex(index)}
                onMouseLeave={() => setActiveIndex(null)}
                className={cn("rounded-sm hover:bg-hover", bar.from === selectedFrom && "bg-selected")}
              />
            ))}
          </div>
        </div>
        <span />
        <div aria-hidden className="mt-2 grid" style={columns}>
          {bars.map(({ key, tick }) => (
            <span key={key} className="flex justify-center whitespace-nowrap">
              {tick}
            </span>
          ))}
        </div>
      </div>
      <ChartTable
        title={title}
        unit={unit}
        columns={[t("room.opened"), t("room.refused")]}
        rows={bars.map(({ key, when, opened, refused }) => ({
          key,
          heading: when,
          cells: [formatNumber(opened), formatNumber(refused)],
        }))}
      />
    </figure>
  );
}

import { addDays, addMonths, atLocal } from "@innkey/shared/hotel-time";
import type { Traffic } from "@innkey/shared/schemas/access/unlocks";
import { formatLocalDate, formatNumber, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { BarChart } from "@/ui/chart/bar-chart.tsx";

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
  /** Start of the selected bar, null if none is, undefined if bars can't be selected. */
  selectedFrom?: string | null;
  onChoose: (bar: TrafficBar) => void;
  className?: string;
};

function trafficText({ opened, refused }: Pick<TrafficBar, "opened" | "refused">): string {
  return t("doors.traffic.figures", { opened: formatNumber(opened), refused: formatNumber(refused) });
}

/** Chart of opened and refused attempts, stacked. A bar can be chosen. */
export function TrafficBars({ title, unit, bars, selectedFrom, onChoose, className }: TrafficBarsProps) {
  const sum = (figure: "opened" | "refused"): number => bars.reduce((total, bar) => total + bar[figure], 0);
  return (
    <BarChart
      title={title}
      unit={unit}
      series={[
        { label: t("room.opened"), fill: "bg-vacant" },
        { label: t("room.refused"), fill: "bg-danger" },
      ]}
      bars={bars.map((bar) => ({
        ...bar,
        values: [bar.opened, bar.refused],
        figures: [formatNumber(bar.opened), formatNumber(bar.refused)],
        text: trafficText(bar),
        isSelected: selectedFrom === undefined ? undefined : bar.from === selectedFrom,
      }))}
      summary={trafficText({ opened: sum("opened"), refused: sum("refused") })}
      formatMark={formatNumber}
      onChoose={(index) => {
        const bar = bars[index];
        if (bar) onChoose(bar);
      }}
      className={className}
    />
  );
}

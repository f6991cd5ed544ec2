import { type KeyboardEvent, useId, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";

/** What is counted, in one colour. */
type Series = { label: string; fill: string };

/** One period, such as a day. */
type Bar = {
  key: string | number;
  /** Label below the bar; "" if there is no space for it. */
  tick: string;
  /** Name of the period: "Fri, 20 Nov". */
  when: string;
  /** One value per series. Positive values are stacked upwards from the base line, negative ones downwards. */
  values: readonly number[];
  /** The values as text, one per series. */
  figures: readonly string[];
  /** All figures in one line, if there are several. */
  text?: string;
  /** The period that it is now; the others are paler. */
  isCurrent?: boolean;
  /** Undefined if bars can't be selected. */
  isSelected?: boolean;
};

type BarChartProps = {
  /** Shown above one series. Several have a legend there, and the heading of their card is the name of the chart. */
  title: string;
  /** What a bar is, as the heading of the first column in the table for screen readers. */
  unit: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** Figures of all bars together, shown while none is hovered or focused. */
  summary: string;
  /** Returns the label of a line of the scale. */
  formatMark: (value: number) => string;
  /** Value of a full bar. Without it, the scale ends at the next round value. */
  full?: number;
  /** Without it, a bar only shows its figures when it is pressed. */
  onChoose?: (index: number) => void;
  className?: string;
};

/** A phone has space for this many labels that are longer than a day's number. */
const MAX_LONG_TICKS = 5;

/** Returns every second labelled bar if all labels would run into one another on a phone. */
function crowdedTicks(bars: readonly Bar[]): ReadonlySet<Bar["key"]> {
  const labelled = bars.filter(({ tick }) => tick !== "");
  const isCrowded = labelled.length > MAX_LONG_TICKS && labelled.some(({ tick }) => tick.length > 3);
  return new Set(isCrowded ? labelled.filter((_, index) => index % 2 === 1).map(({ key }) => key) : []);
}

/**
 * Bars of consecutive periods, the first at the start of the line. A bar that is hovered or focused shows its figures;
 * arrow keys move between bars.
 */
export function BarChart({ title, unit, series, bars, summary, formatMark, full, onChoose, className }: BarChartProps) {
  const titleId = useId();
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const [focusedIndex, setFocusedIndex] = useState<number | null>(null);
  const [lastIndex, setLastIndex] = useState<number | null>(null);
  const { top, bottom, marks } = scaleOf(bars, full);
  const percent = (length: number): string => `${(length / (top - bottom)) * 100}%`;
  const activeIndex = hoveredIndex ?? focusedIndex;
  const activeBar = activeIndex === null ? undefined : bars[activeIndex];
  const currentIndex = bars.findIndex(({ isCurrent }) => isCurrent);
  const tabbableIndex = Math.min(lastIndex ?? Math.max(0, currentIndex), bars.length - 1);
  const crowdedKeys = crowdedTicks(bars);
  const hasLegend = series.length > 1;
  const columns = { gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` };

  return (
    <figure aria-labelledby={titleId} className={cn("flex min-w-0 flex-col", className)}>
      <figcaption
        className={cn(
          "mb-4 flex flex-wrap content-start items-baseline justify-between gap-x-4 gap-y-1 text-sm",
          hasLegend && "flex-row-reverse justify-end max-sm:min-h-11",
        )}
      >
        {/* On a phone, the figures of a bar need the whole width. */}
        <span
          id={titleId}
          className={cn(hasLegend ? "sr-only" : "text-muted-foreground", activeBar && "max-sm:sr-only")}
        >
          {title}
        </span>
        {hasLegend && <Legend series={series} className={activeBar && "max-sm:hidden"} />}
        <p className={cn("min-h-5 tabular-nums", hasLegend ? "me-auto" : "font-medium")}>
          {activeBar && <span className="font-medium">{activeBar.when} · </span>}
          {activeBar ? textOf(activeBar) : summary}
        </p>
      </figcaption>
      <div className="grid flex-1 grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(8rem,1fr)_auto] gap-x-2.5 text-xs text-muted-foreground tabular-nums">
        <div aria-hidden className="flex flex-col text-end whitespace-nowrap">
          <span style={{ flexGrow: top - (marks[0] ?? top) }} />
          {marks.map((mark, index) => [
            <span key={mark} className="flex h-0 items-center justify-end">
              {formatMark(mark)}
            </span>,
            <span key={`below ${mark}`} style={{ flexGrow: mark - (marks[index + 1] ?? bottom) }} />,
          ])}
        </div>
        <div className="relative">
          {marks.map((mark) => (
            <span
              key={mark}
              style={{ top: percent(top - mark) }}
              className={cn("absolute inset-x-0 border-t", mark === 0 && "border-input")}
            />
          ))}
          <div className="absolute inset-0 grid" style={columns}>
            {bars.map((bar, index) => (
              <button
                key={bar.key}
                type="button"
                tabIndex={index === tabbableIndex ? 0 : -1}
                aria-label={`${bar.when}: ${textOf(bar)}`}
                aria-pressed={bar.isSelected}
                onClick={() => onChoose?.(index)}
                onKeyDown={(event) => moveFocus(event, index, bars.length)}
                onFocus={() => {
                  setLastIndex(index);
                  setFocusedIndex(index);
                }}
                onBlur={() => setFocusedIndex(null)}
                onMouseEnter={() => setHoveredIndex(index)}
                onMouseLeave={() => setHoveredIndex(null)}
                className={cn(
                  "group relative rounded-sm outline-offset-0 focus-visible:z-10",
                  !onChoose && "cursor-default",
                  index === activeIndex && "bg-hover",
                  bar.isSelected && "bg-selected",
                )}
              >
                {[1, -1].map((sign) => (
                  <Stack
                    key={sign}
                    series={series}
                    values={bar.values.map((value) => Math.max(0, value * sign))}
                    isPale={currentIndex >= 0 && !bar.isCurrent}
                    style={sign > 0 ? { bottom: percent(-bottom) } : { top: percent(top) }}
                    heightOf={percent}
                    className={sign > 0 ? "flex-col-reverse rounded-t-xs" : "flex-col rounded-b-xs"}
                  />
                ))}
              </button>
            ))}
          </div>
        </div>
        <span />
        <div aria-hidden className="mt-2 grid" style={columns}>
          {bars.map(({ key, tick }) => (
            <span key={key} className="flex justify-center">
              {/* A label may be wider than its bar. */}
              <span
                className={cn("flex w-0 justify-center whitespace-nowrap", crowdedKeys.has(key) && "max-sm:invisible")}
              >
                {tick}
              </span>
            </span>
          ))}
        </div>
      </div>
      <FigureTable
        title={title}
        unit={unit}
        columns={hasLegend ? series.map(({ label }) => label) : [title]}
        bars={bars}
      />
    </figure>
  );
}

function textOf({ text, figures }: Bar): string {
  return text ?? figures.join(" · ");
}

const ROUND_VALUES = [10, 12, 16, 20, 24, 30, 40, 50, 60, 80];

/** Returns the next round value whose half is round, too. */
function roundUp(peak: number): number {
  if (peak <= 8) return Math.max(2, 2 * Math.ceil(peak / 2));
  for (let power = 1; ; power *= 10) {
    const round = ROUND_VALUES.find((value) => value * power >= peak);
    if (round) return round * power;
  }
}

/** Returns the values at the upper and lower edge, and those of the lines between them, from above. */
function scaleOf(bars: readonly Bar[], full: number | undefined): { top: number; bottom: number; marks: number[] } {
  const sums = (sign: 1 | -1): number[] =>
    bars.map(({ values }) => values.reduce((sum, value) => sum + Math.max(0, value * sign), 0));
  const [highest, lowest] = [Math.max(0, ...sums(1)), Math.max(0, ...sums(-1))];
  const step = (full ?? roundUp(Math.max(highest, lowest))) / 2;
  if (highest === 0 && lowest === 0) return { top: 2 * step, bottom: 0, marks: full === undefined ? [0] : [full, 0] };
  const top = full ?? Math.ceil(highest / step) * step;
  const count = Math.floor((top + lowest) / step) + 1;
  return { top, bottom: -lowest, marks: Array.from({ length: count }, (_, index) => top - index * step) };
}

function moveFocus(event: KeyboardEvent<HTMLButtonElement>, index: number, count: number): void {
  const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
  const to = { ArrowRight: index + forward, ArrowLeft: index - forward, Home: 0, End: count - 1 }[event.key];
  const next = to === undefined ? null : event.currentTarget.parentElement?.children[to];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

type StackProps = {
  series: readonly Series[];
  /** At least 0. */
  values: readonly number[];
  isPale: boolean;
  style: React.CSSProperties;
  heightOf: (value: number) => string;
  className: string;
};

/** The values of a bar on one side of the base line. Printers and forced colours show them, too. */
function Stack({ series, values, isPale, style, heightOf, className }: StackProps) {
  const sum = values.reduce((total, value) => total + value, 0);
  if (sum <= 0) return null;
  return (
    <span
      style={{ ...style, height: heightOf(sum) }}
      className={cn(
        "absolute inset-x-0 mx-auto flex min-h-0.5 w-[70%] max-w-10 gap-px overflow-hidden bg-card",
        className,
      )}
    >
      {series.map(({ label, fill }, index) => {
        const value = values[index] ?? 0;
        return (
          value > 0 && (
            <span
              key={label}
              style={{ flexGrow: value / sum }}
              className={cn(
                "forced-color-adjust-none [print-color-adjust:exact]",
                isPale && "opacity-60 group-hover:opacity-100 group-focus-visible:opacity-100",
                fill,
              )}
            />
          )
        );
      })}
    </span>
  );
}

function Legend({ series, className }: { series: readonly Series[]; className: string | undefined }) {
  return (
    <span aria-hidden className={cn("flex gap-4 text-muted-foreground", className)}>
      {series.map(({ label, fill }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span className={cn("size-2.5 rounded-xs forced-color-adjust-none [print-color-adjust:exact]", fill)} />
          {label}
        </span>
      ))}
    </span>
  );
}

type FigureTableProps = { title: string; unit: string; columns: readonly string[]; bars: readonly Bar[] };

/** The figures as a table for screen readers. */
function FigureTable({ title, unit, columns, bars }: FigureTableProps) {
  return (
    // `sr-only` doesn't limit the height of a table, so a wrapper hides it.
    <div className="sr-only">
      <Table>
        <TableCaption>{title}</TableCaption>
        <TableHeader>
          <TableRow>
            {[unit, ...columns].map((heading) => (
              <TableHead key={heading}>{heading}</TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {bars.map(({ key, when, figures }) => (
            <TableRow key={key}>
              <TableHead scope="row">{when}</TableHead>
              {figures.map((figure, index) => (
                <TableCell key={columns[index]}>{figure}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

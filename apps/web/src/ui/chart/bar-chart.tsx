import { Link, type LinkProps } from "@tanstack/react-router";
import { useId, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { ChartTable } from "./chart-table.tsx";

/** The parts of one bar, stacked outwards from the base line in this order. */
type Bar = {
  key: string | number;
  above: readonly { value: number; className: string }[];
  below?: readonly { value: number; className: string }[];
};

type BarChartProps = {
  /** Name of the chart for screen readers. */
  title: string;
  bars: readonly Bar[];
  /** Values at the upper and lower edge; the base line is at 0. */
  top: number;
  bottom?: number;
  /** Values at which a horizontal line is drawn. */
  lines: readonly number[];
  className?: string;
};

const BAR_WIDTH = 0.7;

/** Draws bars above and below a base line, scaled to their box. A text or table beside them contains the figures. */
export function BarChart({ title, bars, top, bottom = 0, lines, className }: BarChartProps) {
  const id = useId();
  return (
    <svg
      viewBox={`0 0 ${bars.length} ${top + bottom}`}
      preserveAspectRatio="none"
      className={cn("flip-rtl", className)}
      role="img"
      aria-labelledby={id}
    >
      <title id={id}>{title}</title>
      {lines.map((line) => (
        <line
          key={line}
          x1={0}
          x2={bars.length}
          y1={top - line}
          y2={top - line}
          vectorEffect="non-scaling-stroke"
          className="stroke-border"
        />
      ))}
      {bars.map(({ key, above, below = [] }, index) => (
        <g key={key} transform={`translate(${index + (1 - BAR_WIDTH) / 2} 0)`}>
          {stacked(above).map(({ from, value, className: fill }) => (
            <rect key={fill} width={BAR_WIDTH} y={top - from - value} height={value} className={fill} />
          ))}
          {stacked(below).map(({ from, value, className: fill }) => (
            <rect key={fill} width={BAR_WIDTH} y={top + from} height={value} className={fill} />
          ))}
        </g>
      ))}
    </svg>
  );
}

function stacked(parts: NonNullable<Bar["below"]>) {
  let from = 0;
  return parts.map((part) => {
    const positioned = { ...part, from };
    from += part.value;
    return positioned;
  });
}

/** The column of one day. */
interface PlotDay {
  key: string;
  /** Label below the column; "" if there is no space for it. */
  tick: string;
  /** "Fri, 20 Nov" */
  when: string;
  /** The value as text. */
  figure: string;
  value: number;
  strong?: boolean;
  link?: LinkProps;
}

type DayPlotProps = {
  title: string;
  unit: string;
  days: readonly PlotDay[];
  /** Value of a full column. */
  top: number;
  /** Text shown while no column is hovered. */
  summary: string;
  fill: string;
  className?: string;
};

/** Plots days side by side. Hovering over a column shows its figure, and it may link to the details of its day. */
export function DayPlot({ title, unit, days, top, summary, fill, className }: DayPlotProps) {
  const id = useId();
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const activeDay = activeIndex === null ? undefined : days[activeIndex];
  return (
    <figure aria-labelledby={id} className={cn("flex min-w-0 flex-col", className)}>
      <figcaption className="mb-2 flex min-h-5 flex-wrap justify-between gap-x-4 text-sm text-muted-foreground">
        <span id={id}>{title}</span>
        <span className="font-medium text-foreground tabular-nums">
          {activeDay ? `${activeDay.when} · ${activeDay.figure}` : summary}
        </span>
      </figcaption>
      <div aria-hidden className="flex min-h-24 flex-1 items-stretch gap-px border-b sm:gap-0.5">
        {days.map((day, index) => (
          <Column
            key={day.key}
            link={day.link}
            onHover={(isHovered) => setActiveIndex(isHovered ? index : null)}
            className="group flex flex-1 items-end rounded-t-sm hover:bg-hover"
          >
            <span
              style={{ height: `${Math.max(0, Math.min(1, day.value / top)) * 100}%` }}
              className={cn(
                "w-full rounded-t-xs transition-opacity",
                fill,
                !day.strong && "opacity-55 group-hover:opacity-100",
              )}
            />
          </Column>
        ))}
      </div>
      <div aria-hidden className="mt-1.5 flex gap-px text-xs text-muted-foreground tabular-nums sm:gap-0.5">
        {days.map(({ key, tick }) => (
          <span key={key} className="flex flex-1 justify-center whitespace-nowrap">
            <span className="w-0 overflow-visible">
              <span className="-ms-8 block w-16 text-center">{tick}</span>
            </span>
          </span>
        ))}
      </div>
      <ChartTable
        title={title}
        unit={unit}
        columns={[title]}
        rows={days.map(({ key, when, figure }) => ({ key, heading: when, cells: [figure] }))}
      />
    </figure>
  );
}

type ColumnProps = {
  link: LinkProps | undefined;
  onHover: (isHovered: boolean) => void;
  className: string;
  children: React.ReactNode;
};

/** For the pointer only. The table contains the same figures, and the card's own link leads to the list. */
function Column({ link, onHover, className, children }: ColumnProps) {
  const props = { onMouseEnter: () => onHover(true), onMouseLeave: () => onHover(false), className };
  if (!link) return <span {...props}>{children}</span>;
  return (
    <Link {...link} tabIndex={-1} {...props}>
      {children}
    </Link>
  );
}

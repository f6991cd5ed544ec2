import { Link, type LinkProps } from "@tanstack/react-router";
import { useId, useState } from "react";
import { cn } from "@/lib/cn.ts";

/** The parts of one bar, stacked outwards from the base line in this order. */
type Bar = {
  key: string | number;
  above: readonly { value: number; className: string }[];
  below?: readonly { value: number; className: string }[];
};

type BarChartProps = {
  /** the chart's name for screen readers */
  title: string;
  bars: readonly Bar[];
  /** values at the upper and the lower edge; the base line is at 0 */
  top: number;
  bottom?: number;
  /** values at which a line crosses the chart */
  lines: readonly number[];
  className?: string;
};

const BAR_WIDTH = 0.7;

/** Bars above and below a base line, scaled to their box. What they say stands in a table or a text beside them. */
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
    const placed = { ...part, from };
    from += part.value;
    return placed;
  });
}

/** The column of one day: its height and its greatest possible height. */
interface PlotDay {
  key: string;
  /** Label below the column; "" if there is no space for it. */
  tick: string;
  /** "Fri, 20 Nov" */
  when: string;
  /** The figure in words. */
  figure: string;
  value: number;
  strong?: boolean;
  link?: LinkProps;
}

type DayPlotProps = {
  title: string;
  unit: string;
  days: readonly PlotDay[];
  /** Meaning of a full column. */
  top: number;
  /** Text shown while no column is hovered or focused. */
  summary: string;
  fill: string;
  className?: string;
};

/** Plots days side by side. Each column says its figure on hover or focus, and links to the details of its day. */
export function DayPlot({ title, unit, days, top, summary, fill, className }: DayPlotProps) {
  const id = useId();
  const [isTable, setIsTable] = useState<number | null>(null);
  const read = isTable === null ? undefined : days[isTable];
  return (
    <figure aria-labelledby={id} className={cn("flex min-w-0 flex-col", className)}>
      <figcaption className="mb-2 flex min-h-5 flex-wrap justify-between gap-x-4 text-sm text-muted-foreground">
        <span id={id}>{title}</span>
        <span className="font-medium text-foreground tabular-nums">
          {read ? `${read.when} · ${read.figure}` : summary}
        </span>
      </figcaption>
      <div aria-hidden className="flex min-h-24 flex-1 items-stretch gap-px border-b sm:gap-0.5">
        {days.map((day, index) => (
          <Column
            key={day.key}
            link={day.link}
            onLook={(looks) => setIsTable(looks ? index : null)}
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
      {/* A table takes the height of its rows whatever it is told: only a box around it hides it without a trace. */}
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ key, when, figure }) => (
              <tr key={key}>
                <th scope="row">{when}</th>
                <td>{figure}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

type ColumnProps = {
  link: LinkProps | undefined;
  onLook: (looks: boolean) => void;
  className: string;
  children: React.ReactNode;
};

/** For the pointer only. The table contains the same figures, and the card's own link leads to the list. */
function Column({ link, onLook, className, children }: ColumnProps) {
  const look = { onMouseEnter: () => onLook(true), onMouseLeave: () => onLook(false), className };
  if (!link) return <span {...look}>{children}</span>;
  return (
    <Link {...link} tabIndex={-1} {...look}>
      {children}
    </Link>
  );
}

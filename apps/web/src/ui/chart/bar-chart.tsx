import { useId } from "react";
import { cn } from "@/lib/cn.ts";

/** The parts of one bar, stacked outwards from the base line in this order. */
export type Bar = {
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

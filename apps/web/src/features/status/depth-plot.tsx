import { useId } from "react";

const WIDTH = 240;
const HEIGHT = 40;
/** Minimum value at the top of the scale, so that a calm queue shows as a low line and not as noise. */
const LEAST_TOP = 10;

type DepthPlotProps = { title: string; summary: string; depth: readonly number[] };

/** Line chart of the number of waiting jobs over the last minutes. */
export function DepthPlot({ title, summary, depth }: DepthPlotProps) {
  const id = useId();
  const top = Math.max(LEAST_TOP, ...depth);
  const x = (index: number): number => (index / Math.max(1, depth.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - 1 - (value / top) * (HEIGHT - 2);
  const line = depth.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return (
    <figure aria-labelledby={id} className="mt-auto pt-4">
      <figcaption id={id} className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-sm text-muted-foreground">
        <span>{title}</span>
        <span className="font-medium text-foreground tabular-nums">{summary}</span>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="flip-rtl h-10 w-full border-b text-checked-in"
      >
        {depth.length > 1 && (
          <>
            <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} className="fill-current opacity-15" />
            <polyline
              points={line}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </>
        )}
      </svg>
    </figure>
  );
}

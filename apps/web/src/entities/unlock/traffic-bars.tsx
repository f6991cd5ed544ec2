import { type KeyboardEvent, useId, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";

/** An hour or a day, and how often doors were opened or stayed shut in it. */
export interface TrafficBar {
  key: number;
  /** below the bar; "" where there is no room for it */
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
  /** What a bar stands for, over the table of them. */
  unit: string;
  bars: readonly TrafficBar[];
  chosen: string | undefined;
  onChoose: (bar: TrafficBar) => void;
  className?: string;
};

const TOPS = [10, 12, 16, 20, 24, 30, 40, 50, 60, 80];

/** The next figure that an axis may end with: a round one whose half is round too. */
function topOf(most: number): number {
  if (most <= 8) return Math.max(2, 2 * Math.ceil(most / 2));
  for (let power = 1; ; power *= 10) {
    const top = TOPS.find((one) => one * power >= most);
    if (top) return top * power;
  }
}

/** Opened and refused, stacked. Arrow keys walk the bars, each says its figures, Enter narrows the list to it. */
export function TrafficBars({ title, unit, bars, chosen, onChoose, className }: TrafficBarsProps) {
  const { t } = useTranslation();
  const id = useId();
  const [visibleHour, setVisibleHour] = useState<number | null>(null);
  const [tabbable, setTabbable] = useState(0);
  const top = topOf(Math.max(...bars.map(({ opened, refused }) => opened + refused)));
  const figures = ({ opened, refused }: Pick<TrafficBar, "opened" | "refused">): string =>
    t("doors.traffic.figures", { opened: formatNumber(opened), refused: formatNumber(refused) });
  const total = bars.reduce((sum, bar) => ({ opened: sum.opened + bar.opened, refused: sum.refused + bar.refused }), {
    opened: 0,
    refused: 0,
  });
  const read = visibleHour === null ? undefined : bars[visibleHour];
  const columns = { gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` };

  function walk(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: index + forward, ArrowLeft: index - forward, Home: 0, End: bars.length - 1 }[event.key];
    const next = to === undefined ? null : event.currentTarget.parentElement?.children[to];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <figure aria-labelledby={id} className={className}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
        <p className="min-h-5 tabular-nums">
          {read && <span className="font-medium">{read.when} · </span>}
          {figures(read ?? total)}
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
          <svg
            viewBox={`0 0 ${bars.length} ${top}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full rtl:-scale-x-100"
            role="img"
            aria-labelledby={id}
          >
            <title id={id}>{title}</title>
            {[0, top / 2, top].map((mark) => (
              <line
                key={mark}
                x1={0}
                x2={bars.length}
                y1={mark}
                y2={mark}
                vectorEffect="non-scaling-stroke"
                className="stroke-border"
              />
            ))}
            {bars.map(({ key, opened, refused }, index) => (
              <g key={key}>
                <rect x={index + 0.15} width={0.7} y={top - opened} height={opened} className="fill-vacant" />
                <rect
                  x={index + 0.15}
                  width={0.7}
                  y={top - opened - refused}
                  height={refused}
                  className="fill-danger"
                />
              </g>
            ))}
          </svg>
          <div className="absolute inset-0 grid" style={columns}>
            {bars.map((bar, index) => (
              <button
                key={bar.key}
                type="button"
                tabIndex={index === tabbable ? 0 : -1}
                aria-label={`${bar.when}: ${figures(bar)}`}
                aria-pressed={bar.from === chosen}
                onClick={() => onChoose(bar)}
                onKeyDown={(event) => walk(event, index)}
                onFocus={() => {
                  setTabbable(index);
                  setVisibleHour(index);
                }}
                onBlur={() => setVisibleHour(null)}
                onMouseEnter={() => setVisibleHour(index)}
                onMouseLeave={() => setVisibleHour(null)}
                className={cn("rounded-sm hover:bg-hover", bar.from === chosen && "bg-selected")}
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
      {/* A table takes the height of its rows whatever it is told: only a box around it hides it without a trace. */}
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{t("room.opened")}</th>
              <th scope="col">{t("room.refused")}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, when, opened, refused }) => (
              <tr key={key}>
                <th scope="row">{when}</th>
                <td>{formatNumber(opened)}</td>
                <td>{formatNumber(refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

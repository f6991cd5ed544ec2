import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

/** More ticks than this can't be told apart; then one stands for several. */
const MAX_TICKS = 120;
const TICKS_PER_LONG = 5;

type DialProps = {
  /** Number of ticks around the ring, and how many of them are brass, from the top. */
  ticks: number;
  filled: number;
  /** What the ring says. Without it, the ring is an ornament. */
  label?: string;
  className?: string;
  /** Drawn in the middle, in units of 400 across. */
  children?: ReactNode;
};

/** A lock's escutcheon as an instrument: a ring of ticks, some of them brass. */
export function Dial({ ticks, filled, label, className, children }: DialProps) {
  const shown = Math.min(ticks, MAX_TICKS);
  const brass = ticks === 0 ? 0 : Math.round((filled / ticks) * shown);
  return (
    <svg
      viewBox="-200 -200 400 400"
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
      className={cn("overflow-visible", className)}
      fill="none"
    >
      <circle r="196" className="stroke-foreground/25" vectorEffect="non-scaling-stroke" />
      <circle r="128" className="stroke-foreground/25" vectorEffect="non-scaling-stroke" />
      {Array.from({ length: shown }, (_, tick) => {
        const isLong = tick % TICKS_PER_LONG === 0;
        return (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: ticks have no identity but their place
            key={tick}
            y1={-182}
            y2={isLong || tick < brass ? -146 : -160}
            // A small dial is as readable as a large one.
            vectorEffect="non-scaling-stroke"
            transform={`rotate(${(tick * 360) / shown})`}
            strokeWidth={tick < brass ? 2.25 : 1.5}
            strokeLinecap="round"
            className={cn("transition-[stroke] duration-200", tick < brass ? "stroke-brass" : "stroke-foreground/40")}
          />
        );
      })}
      {children}
    </svg>
  );
}

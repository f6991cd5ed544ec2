import type { Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";

/** Start of each displayed day and end of the last one, in milliseconds since the epoch. */
export type TimeScale = { starts: readonly number[]; end: number };

export function scaleOf({ days, endsAt }: Pick<Timeline, "days" | "endsAt">): TimeScale {
  return { starts: days.map(({ startsAt }) => Date.parse(startsAt)), end: Date.parse(endsAt) };
}

/**
 * Returns the position of an instant in days from the first one: 1.5 is the middle of the second day. All days have the
 * same width, even those of 23 or 25 hours. Instants outside the range are moved to its edge.
 */
export function offsetOf({ starts, end }: TimeScale, instant: number): number {
  const at = starts.findLastIndex((start) => start <= instant);
  const start = starts[at];
  if (start === undefined) return 0;
  const next = starts[at + 1] ?? end;
  return Math.min(at + (instant - start) / (next - start), starts.length);
}

export type Span = {
  from: number;
  to: number /** True if the period started before the first displayed day. */;
  cutStart: boolean;
  cutEnd: boolean;
};

/** Returns the displayed part of a period; null if it is outside. */
export function spanOf(scale: TimeScale, startsAt: string, endsAt: string | null): Span | null {
  const [start, end] = [Date.parse(startsAt), endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt)];
  const first = scale.starts[0] ?? 0;
  if (end <= first || start >= scale.end) return null;
  return {
    from: offsetOf(scale, start),
    to: offsetOf(scale, Math.min(end, scale.end)),
    cutStart: start < first,
    cutEnd: end > scale.end,
  };
}

/** Returns the end of a bar. A stay past its planned departure occupies the room until now. */
export function barEnd({ endsAt, state, stay }: TimelineBar, now: number): string | null {
  if (endsAt === null || state !== "in_house" || !stay?.expired) return endsAt;
  return new Date(Math.max(now, Date.parse(endsAt))).toISOString();
}

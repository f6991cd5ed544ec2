import type { Timeline, TimelineBar } from "@innkey/shared/schemas/timeline";

/** The instants at which the shown days begin, and the end of the last, in milliseconds. */
export type TimeScale = { starts: readonly number[]; end: number };

export function scaleOf({ days, endsAt }: Pick<Timeline, "days" | "endsAt">): TimeScale {
  return { starts: days.map(({ startsAt }) => Date.parse(startsAt)), end: Date.parse(endsAt) };
}

/**
 * Where an instant lies, in days from the first: 1.5 is the middle of the second day. Every day is as wide as the others,
 * also one of 23 or 25 hours; what lies outside is at the edge.
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
  to: number /** it began before the first day */;
  cutStart: boolean;
  cutEnd: boolean;
};

/** The part of a period that is shown; null for none of it. */
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

/** A party past its planned departure is in the room until now. */
export function barEnd({ endsAt, state, stay }: TimelineBar, now: number): string | null {
  if (endsAt === null || state !== "in_house" || !stay?.expired) return endsAt;
  return new Date(Math.max(now, Date.parse(endsAt))).toISOString();
}

import type { Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import type { TimelineLine } from "./timeline-rows.ts";

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

/** The displayed part of a period, in columns of the grid. */
export type Span = {
  from: number;
  to: number;
  /** True if the period started before the first displayed day. */
  cutStart: boolean;
  /** True if the period ends after the last displayed day. */
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

/** Stop of the keyboard in a line: a bar, a free night, or a group's button. `at` and `to` are in days. */
export type Stop = { key: string; at: number; to: number };

const GROUP_STOP: Stop = { key: "group", at: 0, to: Number.POSITIVE_INFINITY };
export const barKey = (bar: TimelineBar): string => `bar:${bar.occupancyId}`;
export const cellKey = (date: string): string => `cell:${date}`;
export const lineKey = (line: TimelineLine): string => (line.kind === "group" ? `g${line.id}` : `r${line.room.id}`);

/** Time of day as a share of the day. A night is free if the room is not occupied from then until midnight. */
const EVENING = 0.75;

export function stopsOf(line: TimelineLine, dates: readonly string[], scale: TimeScale, now: number): Stop[] {
  if (line.kind === "group") return [GROUP_STOP];
  const bars = line.bars.flatMap((bar) => {
    const span = spanOf(scale, bar.startsAt, barEnd(bar, now));
    return span ? [{ key: barKey(bar), at: span.from, to: span.to, live: bar.state !== "ended" }] : [];
  });
  const free = dates.flatMap((date, at) => {
    const occupied = bars.some((bar) => bar.live && bar.at < at + 1 && bar.to > at + EVENING);
    return occupied ? [] : [{ key: cellKey(date), at: at + EVENING, to: at + 1 }];
  });
  return [...bars.map(({ key, at, to }) => ({ key, at, to })), ...free].sort((a, b) => a.at - b.at);
}

const distance = ({ at, to }: Stop, day: number): number => (day < at ? at - day : day >= to ? day - to : 0);

/** Returns the stop of a line that is nearest to a position in days. */
export function stopNear(stops: readonly Stop[], day: number): Stop | undefined {
  return stops.reduce<Stop | undefined>(
    (best, stop) => (best && distance(best, day) <= distance(stop, day) ? best : stop),
    undefined,
  );
}

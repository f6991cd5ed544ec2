import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { barEnd, spanOf, type TimeScale } from "./time-scale.ts";
import type { TimelineLine } from "./timeline-rows.ts";

/** Stop of the keyboard in a line: a bar, a free night, or a group's button. `at` and `to` are in days. */
export type Stop = { key: string; at: number; to: number };

export const GROUP_STOP: Stop = { key: "group", at: 0, to: Number.POSITIVE_INFINITY };
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

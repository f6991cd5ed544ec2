import type { Clock } from "../core/clock.ts";

/** A clock that stands still until a test moves it. */
export interface HeldClock extends Clock {
  set(iso: string): void;
  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): void;
}

export function heldClock(iso = "2026-03-02T10:00:00.000Z"): HeldClock {
  let milliseconds = Date.parse(iso);
  return {
    now: () => new Date(milliseconds),
    set(next) {
      milliseconds = Date.parse(next);
    },
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      milliseconds += ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000;
    },
  };
}

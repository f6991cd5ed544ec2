const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first, second … failure in a row; the last one again and again. */
const PAUSES_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** So that receivers that failed together are not tried together. */
const JITTER = 0.1;

/** A receiver that took nothing for so long is switched off. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** Operators are told after so many failures in a row. */
export const FAILURES_BEFORE_ALERT = 3;
/** A receiver that is there, and refuses one event so often, has it set aside so that the others can go on. */
export const REFUSALS_OF_ONE = 6;

/** Milliseconds until a receiver is tried again after `failures` in a row, give or take a tenth. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
  return Math.round(pause * (1 + JITTER * (2 * random() - 1)));
}

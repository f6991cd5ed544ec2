import { LOOK_AHEAD } from "../passcodes/one-time.ts";

/**
 * Checks whether a lock can have reached a counter of one-time codes. A code that was never issued may be guessed, but
 * only within the lock's look-ahead.
 */
export const isCounterPossible = (
  { otpNext, otpFloor }: { otpNext: number; otpFloor: number },
  counter: number,
): boolean => counter < Math.max(otpNext, otpFloor) + LOOK_AHEAD;

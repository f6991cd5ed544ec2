import { LOOK_AHEAD } from "../passcodes/one-time.ts";

/**
 * Whether a lock can have come to a counter of one-time codes: a code that nobody was given may be guessed, though only as far
 * ahead as the lock looks.
 */
export const isCounterPossible = (
  { otpNext, otpFloor }: { otpNext: number; otpFloor: number },
  counter: number,
): boolean => counter < Math.max(otpNext, otpFloor) + LOOK_AHEAD;

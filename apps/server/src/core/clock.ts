/** The time, as a value that tests can hold. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

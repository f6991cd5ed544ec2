import { z } from "zod";

/** What a new hotel still needs, counted from its data. */
export const firstSteps = z.object({
  rooms: z.int(),
  /** rooms without a price, which can't be booked */
  roomsWithoutPrice: z.int(),
  /** card readers that were connected at a desk */
  cardReaders: z.int(),
  /** locks at rooms' doors, and how many of them have been set up */
  locks: z.int(),
  locksSetUp: z.int(),
  /** people besides the caller */
  colleagues: z.int(),
  hasCheckedIn: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;
export const firstStepsClosed = z.object({ closed: z.boolean() });

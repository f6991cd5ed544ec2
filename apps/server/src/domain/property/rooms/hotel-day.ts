import { addDays, atLocal, type InstantIso, localDate } from "@innkey/shared/hotel-time";

/** Returns the local midnight that ends the hotel's day, including days of 23 and 25 hours. */
export function endOfDay(instant: InstantIso, timeZone: string): InstantIso {
  return atLocal(addDays(localDate(instant, timeZone), 1), "00:00", timeZone);
}

import { addDays, atLocal, type InstantIso, localDate } from "@innkey/shared/hotel-time";

/** The hotel-local midnight that ends the day of an instant; days of 23 and 25 hours included. */
export function endOfDay(instant: InstantIso, timeZone: string): InstantIso {
  return atLocal(addDays(localDate(instant, timeZone), 1), "00:00", timeZone);
}

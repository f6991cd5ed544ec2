import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import type { Scope } from "../../../kernel/scope.ts";

export interface BusinessDay {
  /** Hotel-local date. */
  date: string;
  from: string;
  to: string;
  over: boolean;
  /** Time to which figures refer: the end of the day, or the current time if it is not over. */
  at: string;
}

const HALF_DAY_MS = 12 * 3_600_000;

/**
 * A business day runs from the hotel's start of day to the next day's start. Without a date, we choose the one that a
 * night clerk means: up to twelve hours after a day began, the day before; afterwards the current one.
 */
export function businessDay(scope: Scope, requestedDate: string | null): BusinessDay {
  const { timeZone, dayStartTime } = scope.hotel;
  const now = scope.now();
  const ending = (): string =>
    businessDate(new Date(now.getTime() - HALF_DAY_MS).toISOString(), timeZone, dayStartTime);
  const date = requestedDate ?? ending();
  const to = atLocal(addDays(date, 1), dayStartTime, timeZone);
  const over = to <= now.toISOString();
  // Includes records written at this very moment.
  const at = over ? to : new Date(now.getTime() + 1).toISOString();
  return { date, from: atLocal(date, dayStartTime, timeZone), to, over, at };
}

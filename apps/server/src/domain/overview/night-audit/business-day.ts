import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import type { Scope } from "../../../kernel/scope.ts";

export interface BusinessDay {
  /** hotel-local */
  date: string;
  from: string;
  to: string;
  over: boolean;
  /** the moment the day is looked at: its end, or while it lasts the present */
  at: string;
}

const HALF_DAY_MS = 12 * 3_600_000;

/**
 * The day's own length runs from the hotel's hour of beginning to the next day's. Without a date it is the one that a night
 * clerk means: until noon or so the one just over, after that the one that is ending.
 */
export function businessDay(scope: Scope, requestedDate: string | null): BusinessDay {
  const { timeZone, dayStartTime } = scope.hotel;
  const now = scope.now();
  const ending = (): string =>
    businessDate(new Date(now.getTime() - HALF_DAY_MS).toISOString(), timeZone, dayStartTime);
  const date = requestedDate ?? ending();
  const to = atLocal(addDays(date, 1), dayStartTime, timeZone);
  const over = to <= now.toISOString();
  // What is written at this very moment belongs to it, too.
  const at = over ? to : new Date(now.getTime() + 1).toISOString();
  return { date, from: atLocal(date, dayStartTime, timeZone), to, over, at };
}

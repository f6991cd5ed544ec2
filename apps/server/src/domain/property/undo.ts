import { MINUTE_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import type { HotelContext, Scope } from "../../kernel/scope.ts";

/** How long every act can be undone, even if its business day was closed meanwhile. */
const ALWAYS_MS = 10 * MINUTE_MS;

/**
 * Returns since when acts may still be undone: those of the last ten minutes, and those of business days that no night
 * audit has closed. A day that nobody closes counts as open until the next one ends, so that hotels without night audits
 * don't change what was long ago.
 */
export async function undoableSince(scope: Scope, sql: HotelSql = scope.sql): Promise<string> {
  const [closed] = await sql.prepared<{ date: string | null }>(
    "last-closed-day",
    "SELECT to_char(max(n.date), 'YYYY-MM-DD') AS date FROM night_audit n WHERE n.hotel_id = $1",
  );
  return firstUndoable(scope.now(), scope.hotel, closed?.date ?? null);
}

/** The same, from the last business day that was closed; null: none was. */
export function firstUndoable(
  now: Date,
  { timeZone, dayStartTime }: Pick<HotelContext, "timeZone" | "dayStartTime">,
  lastClosed: string | null,
): string {
  const yesterday = addDays(businessDate(now.toISOString(), timeZone, dayStartTime), -1);
  const afterClosed = lastClosed === null ? yesterday : addDays(lastClosed, 1);
  const openSince = atLocal(afterClosed > yesterday ? afterClosed : yesterday, dayStartTime, timeZone);
  const recent = new Date(now.getTime() - ALWAYS_MS).toISOString();
  return recent < openSince ? recent : openSince;
}

/**
 * Acts that can be undone, and how long beyond that rule. A reservation that ended comes back until its planned
 * departure, because guests who were thought lost arrive the next day; a bank sends a withdrawal back days later, and
 * the counter-entry belongs to the day on which it is written.
 */
const LONGER = {
  check_in: () => false,
  check_out: () => false,
  room_status: () => false,
  end_of_reservation: ({ now, until }) => until !== undefined && now < until,
  withdrawal: () => true,
} satisfies Record<string, (act: { now: string; until: string | undefined }) => boolean>;

export interface DoneAct {
  act: keyof typeof LONGER;
  /** when it was done */
  at: string;
  /** planned departure of the reservation that ended */
  until?: string;
}

/** Whether an act may still be undone. Every undo asks this first, and then whether nothing else stands in its way. */
export async function mayUndo(scope: Scope, sql: HotelSql, { act, at, until }: DoneAct): Promise<boolean> {
  if (LONGER[act]({ now: scope.now().toISOString(), until })) return true;
  return at >= (await undoableSince(scope, sql));
}

/** @throws undo_over if the act may no longer be undone */
export async function requireUndoable(scope: Scope, sql: HotelSql, done: DoneAct): Promise<void> {
  if (!(await mayUndo(scope, sql, done))) throw new DomainError("undo_over");
}

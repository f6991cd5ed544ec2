import type pg from "pg";
import type { LockRowForEvents, ReportedEvent } from "./reported-event.ts";

/**
 * An event with the number under which it is stored: the lock's own number plus the base of the log that it comes from.
 */
export interface NumberedEvent {
  event: ReportedEvent;
  lock: LockRowForEvents;
  base: number;
  number: number;
}

interface Log {
  lockId: number;
  log: string;
}
const keyOf = ({ lockId, log }: Log): string => `${lockId}/${log}`;

const BASES = `
  SELECT k.lock_id AS "lockId", k.log, k.base::float8 AS base
  FROM lock_log k JOIN unnest($1::int[], $2::text[]) AS x (lock_id, log) ON k.lock_id = x.lock_id AND k.log = x.log`;

/**
 * Numbers the events of locks whose rows are locked. Events of a new log start far above all stored numbers, so that a
 * lock that counts from the beginning again is not mistaken for one that repeats itself. If a lock names too many new
 * logs in a day, the events of the excess logs are dropped and `untrusted` contains the lock.
 */
export async function numberEvents(
  client: pg.ClientBase,
  reported: readonly ReportedEvent[],
  locks: ReadonlyMap<number, LockRowForEvents>,
  now: Date,
): Promise<{ numbered: NumberedEvent[]; untrusted: ReadonlySet<number> }> {
  const others = new Map<string, Log>();
  for (const { lockId, log } of reported) {
    const lock = locks.get(lockId);
    if (lock && log !== null && log !== lock.eventLog) others.set(keyOf({ lockId, log }), { lockId, log });
  }
  const bases = others.size > 0 ? await basesOf(client, [...others.values()], now) : new Map<string, number>();
  const untrusted = new Set<number>();
  const numbered = reported.flatMap((event): NumberedEvent[] => {
    const lock = locks.get(event.lockId);
    if (!lock) return [];
    const { lockId, log, seq } = event;
    const base = log === null || log === lock.eventLog ? lock.eventBase : bases.get(keyOf({ lockId, log }));
    if (base === undefined) {
      untrusted.add(lockId);
      return [];
    }
    return [{ event, lock, base, number: base + seq }];
  });
  return { numbered, untrusted };
}

async function basesOf(client: pg.ClientBase, logs: readonly Log[], now: Date): Promise<Map<string, number>> {
  const values = [logs.map(({ lockId }) => lockId), logs.map(({ log }) => log)];
  await client.query("SELECT begin_lock_logs($1::int[], $2::text[], $3::timestamptz)", [...values, now.toISOString()]);
  const { rows } = await client.query<Log & { base: number }>(BASES, values);
  return new Map(rows.map((row) => [keyOf(row), row.base]));
}

/**
 * What is said of a lock's connection, by one rule for every page that counts locks. One that never confirmed the hotel's
 * keys is not set up, however long it has been silent; only one that was set up can be out of reach. A lock behind a gateway
 * tells nobody whether it is there: it counts as reachable until its commands fail again and again.
 */
export type LockStatus = "not_set_up" | "unreachable" | "reachable";

export interface LockConnection {
  driver: string;
  online: boolean;
  configuredAt: string | null;
  breakerOpenedAt: string | null;
}

export function lockStatusOf({ driver, online, configuredAt, breakerOpenedAt }: LockConnection): LockStatus {
  if (configuredAt === null) return "not_set_up";
  return online || (driver !== "mqtt" && breakerOpenedAt === null) ? "reachable" : "unreachable";
}

/** The same in SQL, of a row of `lock`. */
export const LOCK_STATUS_SQL = `CASE WHEN configured_at IS NULL THEN 'not_set_up'
  WHEN online OR driver <> 'mqtt' AND breaker_opened_at IS NULL THEN 'reachable' ELSE 'unreachable' END`;

/** For this long a lock may be silent, and what the console says of its keys still counts. */
const SILENCE_MARGIN_MS = 24 * 3_600_000;

/** How a key's own lock was heard of last. */
export interface LockContact {
  lockOnline: boolean;
  /** null: never */
  lockHeardAt: string | null;
}

/**
 * Since when nobody can say what a lock does with its keys: it is out of reach, and was heard from last longer ago than the
 * margin. Its clock, its memory or its battery may be gone by now. Null: what it confirmed counts.
 */
export function silentSince({ lockOnline, lockHeardAt }: LockContact, now = Date.now()): string | null {
  return !lockOnline && lockHeardAt !== null && now - Date.parse(lockHeardAt) > SILENCE_MARGIN_MS ? lockHeardAt : null;
}

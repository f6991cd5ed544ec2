/**
 * What is said of a lock's connection, by one rule for every page that counts locks. One that never confirmed the hotel's
 * keys is not set up, however long it has been silent; only one that was set up can be out of reach. A lock behind a gateway
 * tells nobody whether it is there: it counts as reachable until its commands fail again and again.
 */
export type LockStanding = "not_set_up" | "unreachable" | "reachable";

export interface LockConnection {
  driver: string;
  online: boolean;
  configuredAt: string | null;
  breakerOpenedAt: string | null;
}

export function standingOf({ driver, online, configuredAt, breakerOpenedAt }: LockConnection): LockStanding {
  if (configuredAt === null) return "not_set_up";
  return online || (driver !== "mqtt" && breakerOpenedAt === null) ? "reachable" : "unreachable";
}

/** The same in SQL, of a row of `lock`. */
export const LOCK_STANDING_SQL = `CASE WHEN configured_at IS NULL THEN 'not_set_up'
  WHEN online OR driver <> 'mqtt' AND breaker_opened_at IS NULL THEN 'reachable' ELSE 'unreachable' END`;

import { DAY_MS } from "../durations.ts";

/**
 * Status of a lock's connection, by one rule for every page that counts locks. A lock of our own protocol that never
 * confirmed the hotel's keys is not set up, however long it has been silent; only a lock that is set up can be
 * unreachable. A lock behind a gateway that was never heard of counts as reachable until a command fails.
 */
export type LockStatus = "not_set_up" | "unreachable" | "reachable";

interface LockConnection {
  driver: string;
  online: boolean;
  configuredAt: string | null;
  lastSeenAt: string | null;
  lastError: string | null;
}

/** The SQL function `lock_status` is the same rule. */
export function lockStatusOf({ driver, online, configuredAt, lastSeenAt, lastError }: LockConnection): LockStatus {
  if (configuredAt === null) return "not_set_up";
  const isUntried = driver !== "mqtt" && lastSeenAt === null && lastError === null;
  return online || isUntried ? "reachable" : "unreachable";
}

/** A lock may be silent for this long before we stop trusting the displayed status of its keys. */
const SILENCE_MARGIN_MS = DAY_MS;

/** Last contact with the lock of a key. */
interface LockContact {
  lockOnline: boolean;
  /** null: never */
  lockHeardAt: string | null;
}

/**
 * Returns since when the status of a lock's keys is uncertain: the lock is unreachable and last reported longer ago
 * than the margin, so its clock, memory or battery may have failed. Null: the confirmed status is valid.
 */
export function silentSince({ lockOnline, lockHeardAt }: LockContact, now = Date.now()): string | null {
  return !lockOnline && lockHeardAt !== null && now - Date.parse(lockHeardAt) > SILENCE_MARGIN_MS ? lockHeardAt : null;
}

/** Battery percentages of a lock: below the first an alert opens, above the second the battery counts as good again. */
export const LOW_POWER_PERCENT = 20;
export const RESTORED_POWER_PERCENT = 25;

/** Clock drift in seconds beyond which keys start or end at the wrong minute. */
const MAX_DRIFT_SECONDS = 120;

/** Checks whether a lock's clock is so wrong that keys are affected. `driftSeconds` null: it never reported its time. */
export const isClockWrong = ({ driftSeconds }: { driftSeconds: number | null }): boolean =>
  driftSeconds !== null && Math.abs(driftSeconds) > MAX_DRIFT_SECONDS;

/** The estimate of how long a battery lasts goes no further than a year; this stands for longer. */
export const MAX_BATTERY_WEEKS = 53;

/** Checks whether a battery should be replaced soon: it is low, or expected to be empty within four weeks. */
export const isBatteryDue = ({ power, weeksLeft }: { power: number | null; weeksLeft: number | null }): boolean =>
  (power !== null && power < LOW_POWER_PERCENT) || (weeksLeft !== null && weeksLeft <= 4);

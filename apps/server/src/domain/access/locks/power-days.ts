import type pg from "pg";

/** Levels are kept for so many days; the estimate looks at the last 90. */
export const POWER_RETENTION_DAYS = 400;

/** Stores the level of every lock that was heard of today, by the clock of its hotel. $1: the instant. */
const RECORD = `INSERT INTO lock_power_day (hotel_id, lock_id, day, power)
  SELECT l.hotel_id, l.id, (l.last_seen_at AT TIME ZONE h.time_zone)::date, l.power
    FROM lock l JOIN hotel h ON h.id = l.hotel_id
   WHERE l.deleted_at IS NULL AND l.power IS NOT NULL AND l.last_seen_at > $1::timestamptz - interval '1 day'
  ON CONFLICT (lock_id, day) DO UPDATE SET power = excluded.power WHERE lock_power_day.power <> excluded.power`;

const FORGET = `DELETE FROM lock_power_day WHERE day < $1::timestamptz::date - ${POWER_RETENTION_DAYS}`;

/**
 * Records the battery levels of all hotels, and forgets those that are too old. Runs often, so that the last level of a day
 * counts, and writes only what changed.
 */
export async function recordPowerDays(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(RECORD, [now.toISOString()]);
  await pool.query(FORGET, [now.toISOString()]);
}

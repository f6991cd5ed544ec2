import { LOW_POWER_PERCENT } from "@innkey/shared/locks/power";
import { LOCK_STATUS_SQL } from "@innkey/shared/locks/standing";

/**
 * Each lock counts once as online, offline or not set up. `low` (battery) and `stopped` (open breaker) are counted
 * separately.
 */
export interface LockCounts {
  all: number;
  online: number;
  offline: number;
  notSetUp: number;
  low: number;
  stopped: number;
}

const having = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::int`;

/** Counts of locks by status. $1: the hotel, $2: the rooms (null: all). */
export const LOCK_COUNTS = `
  SELECT count(*)::int AS "all",
    ${having(`${LOCK_STATUS_SQL} = 'reachable'`)} AS online,
    ${having(`${LOCK_STATUS_SQL} = 'unreachable'`)} AS offline,
    ${having(`${LOCK_STATUS_SQL} = 'not_set_up'`)} AS "notSetUp",
    ${having(`power < ${LOW_POWER_PERCENT}`)} AS low,
    ${having("breaker_opened_at IS NOT NULL")} AS stopped
  FROM lock WHERE hotel_id = $1 AND removed_at IS NULL AND ($2::int[] IS NULL OR room_id = ANY ($2::int[]))`;

import { LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";

/** Whether somebody should look after the lock: its battery is low, or it was connected and can't be reached. */
export function isLockIll(lock: BoardRoom["lock"]): boolean {
  if (!lock) return false;
  return (lock.power !== null && lock.power < LOW_POWER_PERCENT) || (lock.setUp && !lock.online);
}

import type { Unit } from "../../core/unit.ts";
import type { Lock } from "../../infra/database/generated/client.ts";

/**
 * The row of a lock, held until the unit ends: what is said to a lock, what it answers and what is done about its silence
 * come one after the other. Null for one that isn't there.
 */
export async function holdLock(unit: Unit, lockId: number): Promise<Lock | null> {
  await unit.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  return unit.db.lock.findFirst({ where: { id: lockId, removedAt: null } });
}

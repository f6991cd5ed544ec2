import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Unit } from "../../../kernel/unit.ts";

/**
 * Locks and returns the row of a lock until the transaction ends, so that commands, answers and timeouts of one lock
 * are processed one after another. Returns null if the lock doesn't exist or was removed.
 */
export async function holdLock(unit: Unit, lockId: number): Promise<Lock | null> {
  await unit.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  return unit.db.lock.findFirst({ where: { id: lockId, removedAt: null } });
}

import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Locks and returns the row of a lock until the transaction ends, so that commands, answers and timeouts of one lock
 * are processed one after another. Returns null if the lock doesn't exist or was removed.
 */
export async function selectLockForUpdate(tx: Transaction, lockId: number): Promise<Lock | null> {
  await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  return tx.db.lock.findFirst({ where: { id: lockId, deletedAt: null } });
}

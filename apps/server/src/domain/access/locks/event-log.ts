import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert } from "../../messaging/public.ts";
import { alertCodesAgain } from "../lock-commands/codes-again.ts";
import { enqueue } from "../lock-commands/commands.ts";
import { configureLock } from "./configure.ts";

/**
 * Records which memory (log) a lock's events come from; the caller has locked the lock's row. A lock that names a new
 * log has lost its data, so we configure it again and read back its credentials, and missing ones are sent again.
 */
export async function noteLog(scope: Scope, tx: Transaction, lock: Lock, log: string): Promise<void> {
  const { id: lockId } = lock;
  await tx.sql.rows(
    "SELECT begin_lock_logs(ARRAY[$2::int], ARRAY[$3::text], $4::timestamptz)::text, $1::int",
    lockId,
    log,
    scope.now().toISOString(),
  );
  const storedLog = await tx.db.lockLog.findFirst({ where: { lockId, log } });
  // The lock named too many new logs today (see begin_lock_logs in prisma/migrations).
  if (!storedLog) return raiseAlert(scope, tx, { kind: "tamper", lockId, roomId: lock.roomId });
  await tx.db.lock.update({ where: { id: lockId }, data: { eventLog: log, eventBase: storedLog.base } });
  if (lock.eventLog === "" || !lock.configuredAt) return;
  await tx.db.lock.update({ where: { id: lockId }, data: { resetAt: scope.now() } });
  await alertCodesAgain(scope, tx, lock);
  await configureLock(scope, tx, lockId);
  await enqueue(scope, tx, lockId, { type: "read_back", subject: "read_back", args: {} });
}

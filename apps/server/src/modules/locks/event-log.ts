import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Lock } from "../../infra/database/generated/client.ts";
import { raiseMessage } from "../messages/raise.ts";
import { alertCodesAgain } from "./codes-again.ts";
import { enqueue } from "./commands.ts";
import { configureLock } from "./configure.ts";

/**
 * A lock names the memory that its events come from; the caller holds its row. One that names another than before has lost
 * what it knew: it is told its keys again and asked what it still holds, and what it lost is sent anew.
 */
export async function noteLog(scope: Scope, unit: Unit, lock: Lock, log: string): Promise<void> {
  const { id: lockId } = lock;
  await unit.sql.rows(
    "SELECT begin_lock_logs(ARRAY[$2::int], ARRAY[$3::text], $4::timestamptz)::text, $1::int",
    lockId,
    log,
    scope.now().toISOString(),
  );
  const storedLog = await unit.db.lockLog.findFirst({ where: { lockId, log } });
  // It named too many new ones today (prisma/migrations has the rule).
  if (!storedLog) return raiseMessage(scope, unit, { kind: "tamper", lockId, roomId: lock.roomId });
  await unit.db.lock.update({ where: { id: lockId }, data: { eventLog: log, eventBase: storedLog.base } });
  if (lock.eventLog === "" || !lock.configuredAt) return;
  await unit.db.lock.update({ where: { id: lockId }, data: { resetAt: scope.now() } });
  await alertCodesAgain(scope, unit, lock);
  await configureLock(scope, unit, lockId);
  await enqueue(scope, unit, lockId, { type: "read_back", subject: "read_back", args: {} });
}

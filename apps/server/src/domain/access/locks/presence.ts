import { LOW_POWER_PERCENT, RESTORED_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import type { StatusMessage } from "@innkey/shared/locks/protocol";
import type { Lock, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { isCounterPossible } from "../credentials/min-sequences.ts";
import {
  enqueue,
  NOTABLE_DRIFT_SECONDS,
  selectLockForUpdate,
  supersedeLowPriority,
  tryNow,
} from "../lock-commands/commands.ts";
import { resolveFailures } from "../lock-commands/retry-commands.ts";
import { hasPresence } from "../lock-links/driver.ts";
import { alertReusableCodes, resolveReusableCodes } from "../passcodes/one-time.ts";
import { configureAgain, configureLock } from "./configure.ts";

/**
 * Records which memory (log) a lock's events come from; the caller has locked the lock's row. A lock that names a new
 * log has lost its data, so we configure it again and read back its credentials, and missing ones are sent again.
 */
async function handleNewLog(scope: Scope, tx: Transaction, lock: Lock, log: string): Promise<void> {
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
  if (storedLog.base > lock.eventSeq) await endBlockOut(scope, tx, lock);
  if (lock.eventLog === "" || !lock.configuredAt) return;
  await tx.db.lock.update({ where: { id: lockId }, data: { resetAt: scope.now() } });
  await alertReusableCodes(scope, tx, lock);
  await configureLock(scope, tx, lockId);
  await enqueue(scope, tx, lockId, { type: "read_back", subject: "read_back", args: {} });
}

/** Ends the mark that a block-out card keeps guests out: the lock lost its memory, or confirmed that it lets them in again. */
export async function endBlockOut(scope: Scope, tx: Transaction, { id, roomId, blockedOutAt }: Lock): Promise<void> {
  if (blockedOutAt === null) return;
  await tx.db.lock.update({ where: { id }, data: { blockedOutAt: null } });
  await resolveAlerts(scope, tx, { kind: "blocked_out", lockId: id });
  if (roomId !== null) tx.boardChanged([roomId]);
}

/**
 * Staff get an alert if a lock's clock is off by more seconds than this, because the lock uses it to check the periods
 * of keys.
 */
const MAX_DRIFT_WITHOUT_ALERT_SECONDS = 300;

/**
 * Records that a lock is alive: its failures are reset and its breaker closes. A lock of a driver without presence
 * counts as online because it answered; its waiting commands become due. Returns the updated row.
 */
export async function markLockSeen(scope: Scope, tx: Transaction, lock: Lock): Promise<Lock> {
  const comesOnline = !hasPresence(lock.driver) && !lock.online;
  if (lock.breakerOpenedAt || comesOnline) await tryNow(scope, tx, lock.id);
  if (comesOnline) await resolveAlerts(scope, tx, { kind: "lock_offline", lockId: lock.id });
  if (comesOnline && lock.roomId !== null) tx.boardChanged([lock.roomId]);
  return tx.db.lock.update({
    where: { id: lock.id },
    data: {
      lastSeenAt: scope.now(),
      failures: 0,
      lastError: null,
      breakerOpenedAt: null,
      ...(comesOnline && { online: true }),
    },
  });
}

/**
 * Processes a status report from a lock or its gateway. A `retained` report may be old, so it doesn't prove that the
 * lock is alive.
 */
export async function handleStatus(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  status: StatusMessage,
  retained: boolean,
): Promise<void> {
  const lock = await selectLockForUpdate(tx, lockId);
  if (!lock) return;
  const online = status.state === "online";
  if (online && !retained) await markLockSeen(scope, tx, lock);
  const update: Prisma.LockUpdateInput = { online };
  if (status.power !== undefined) update.power = status.power;
  if (status.firmware !== undefined) update.firmware = status.firmware;
  const { otpFloor = 0 } = status;
  const counters = { otpNext: Number(lock.otpNext), otpFloor: Number(lock.otpFloor) };
  if (otpFloor > counters.otpFloor) {
    if (isCounterPossible(counters, otpFloor - 1)) update.otpFloor = BigInt(otpFloor);
    else await raiseAlert(scope, tx, { kind: "tamper", lockId, roomId: lock.roomId });
  }
  await tx.db.lock.update({ where: { id: lockId }, data: update });
  const hasVisibleChange = online !== lock.online || (status.power !== undefined && status.power !== lock.power);
  if (hasVisibleChange && lock.roomId !== null) tx.boardChanged([lock.roomId]);
  if (status.power !== undefined && status.power !== lock.power)
    await updateBatteryAlert(scope, tx, lock, status.power);
  if (online && !lock.online) await handleReturn(scope, tx, lock);
  // The lock is reachable, so commands in a long pause after lost answers are tried now.
  else if (online && !retained) await tryNow(scope, tx, lockId);
  if (!online && lock.online) await alertOffline(scope, tx, lock);
  if (status.log !== undefined && status.log !== lock.eventLog) await handleNewLog(scope, tx, lock, status.log);
  if (online && !retained) {
    if (lock.driver === "mqtt") await configureAgain(scope, tx, lockId);
    await resolveFailures(scope, tx, lockId);
    await resolveReusableCodes(scope, tx, lockId);
  }
  if (online && !retained && status.at !== undefined) await handleClock(scope, tx, lock, status.at);
}

/**
 * Commands sent while the lock went offline may be lost, so they are sent again. A lock of another make comes online
 * with any message, which may be the answer to a command, and a repeated unlock would open twice.
 */
async function handleReturn(scope: Scope, tx: Transaction, { id: lockId, driver }: Lock): Promise<void> {
  await resolveAlerts(scope, tx, { kind: "lock_offline", lockId });
  if (hasPresence(driver)) {
    await tx.db.lockCommand.updateMany({ where: { lockId, state: "sent" }, data: { state: "queued" } });
    await supersedeLowPriority(scope, tx, lockId);
  }
  await tryNow(scope, tx, lockId);
}

async function alertOffline(scope: Scope, tx: Transaction, { id: lockId, roomId, configuredAt }: Lock): Promise<void> {
  if (configuredAt) await raiseAlert(scope, tx, { kind: "lock_offline", lockId, roomId });
}

async function updateBatteryAlert(
  scope: Scope,
  tx: Transaction,
  { id: lockId, roomId }: Lock,
  power: number,
): Promise<void> {
  if (power < LOW_POWER_PERCENT)
    await raiseAlert(scope, tx, { kind: "battery_low", lockId, roomId, params: { power } });
  if (power > RESTORED_POWER_PERCENT) await resolveAlerts(scope, tx, { kind: "battery_low", lockId });
}

async function handleClock(scope: Scope, tx: Transaction, lock: Lock, at: string): Promise<void> {
  const { id: lockId, roomId } = lock;
  const driftSeconds = Math.round((Date.parse(at) - scope.now().getTime()) / 1000);
  await tx.db.lock.update({ where: { id: lockId }, data: { driftSeconds: toInt32(driftSeconds) } });
  const absoluteDrift = Math.abs(driftSeconds);
  if (absoluteDrift > MAX_DRIFT_WITHOUT_ALERT_SECONDS) {
    await raiseAlert(scope, tx, { kind: "clock_drift", lockId, roomId, params: { seconds: absoluteDrift } });
  }
  if (absoluteDrift <= NOTABLE_DRIFT_SECONDS) {
    await resolveAlerts(scope, tx, { kind: "clock_drift", lockId });
    return;
  }
  const openCommand = { lockId, type: "set_clock" as const, state: { in: ["queued" as const, "sent" as const] } };
  if (await tx.db.lockCommand.findFirst({ where: openCommand, select: { id: true } })) return;
  const args = { now: scope.now().toISOString() };
  await enqueue(scope, tx, lockId, { type: "set_clock", subject: "clock", args });
}

/** The column holds 32 bits, and the clock of a lock that was never set may be off by decades. */
const toInt32 = (seconds: number): number => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, seconds));

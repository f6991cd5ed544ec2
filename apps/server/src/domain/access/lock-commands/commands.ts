import { randomUUID } from "node:crypto";
import type { StoredOpeningReason } from "@innkey/shared/enums";
import type { LockArgs, LockCommandName } from "@innkey/shared/locks/protocol";
import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import { histogram } from "../../../adapters/telemetry/metrics.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Number of tries that a connected lock may leave unanswered or postpone before the command fails or gets the lowest
 * priority.
 */
export const MAX_TRIES = 8;
/**
 * A clock that is off by more seconds than this is set. Until then, a command that the lock refuses may succeed later.
 */
export const NOTABLE_DRIFT_SECONDS = 20;

const contextOf = ({ hotelId }: Scope, row: string): SealContext => ({ column: "lock_command.args_box", hotelId, row });

/** Seals the arguments of a command, which may contain codes and keys. They stay sealed until the command ends. */
function sealArgs(scope: Scope, commandId: string, args: unknown): Buffer<ArrayBuffer> {
  return scope.secrets.code.seal(JSON.stringify(args), contextOf(scope, commandId));
}

/** Returns a command's arguments, or null if the command has ended or no key opens them. */
export function openArgs(scope: Scope, { id, argsBox }: { id: string; argsBox: Uint8Array | null }): unknown {
  const opened = argsBox && scope.secrets.code.open(argsBox, contextOf(scope, id));
  return opened === null ? null : JSON.parse(opened);
}

/** Bucket limits in seconds, from a person waiting at a door up to a lock that is offline for hours. */
const BUCKET_SECONDS = [0.25, 1, 3, 10, 30, 120, 600, 3_600, 43_200];

const commandDuration = histogram(
  {
    name: "lock_command_duration_seconds",
    help: "From when a command to a lock was written to its end; those that a newer one replaced don't count",
    labels: ["outcome"],
  },
  BUCKET_SECONDS,
);

/** Records the duration of a command when the transaction commits. */
export function measureEnd(
  scope: Scope,
  tx: Transaction,
  { createdAt }: LockCommand,
  outcome: "acknowledged" | "failed" | "expired",
): void {
  const seconds = Math.max(0, scope.now().getTime() - createdAt.getTime()) / 1000;
  tx.committed(() => commandDuration.observe({ outcome }, seconds));
}

/** One command, as a service requests it. */
interface NewCommand<T extends LockCommandName = LockCommandName> {
  type: T;
  args: LockArgs[T];
  /** what the command is about: of the unsent commands with the same subject only the newest is sent */
  subject: string;
  credentialId?: number;
  cardId?: number;
  /** the command is not sent from this instant on; null or absent: no limit */
  expiresAt?: Date | null;
  /** why the door of an occupied room is opened */
  opening?: { reason: StoredOpeningReason; note: string } | undefined;
}

/**
 * Writes a command into the outbox of its lock, in the transaction that causes it; it is sent after commit. The lock's
 * row is locked, so the order of commands is the order of the transactions. Callers that command several locks must do
 * so in the order of their ids, to avoid deadlocks. Returns the command's id.
 */
export async function enqueue<T extends LockCommandName>(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  command: NewCommand<T>,
): Promise<string> {
  await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  await supersede(scope, tx, lockId, command.subject);
  const id = randomUUID();
  const now = scope.now();
  await tx.db.lockCommand.create({
    data: {
      id,
      hotelId: scope.hotelId,
      lockId,
      type: command.type,
      subject: command.subject,
      credentialId: command.credentialId ?? null,
      cardId: command.cardId ?? null,
      argsBox: sealArgs(scope, id, command.args),
      nextTryAt: now,
      expiresAt: command.expiresAt ?? null,
      openingReason: command.opening?.reason ?? null,
      openingNote: command.opening?.note ?? "",
      createdById: scope.operatorId,
      createdAt: now,
    },
  });
  await wakeWorkers(tx, [lockId]);
  return id;
}

/** Subject of the read-back by which a lock joins the hotel (`compareInventory`). */
export const TAKE_OVER = "take_over";

/** PostgreSQL limits the payload of a notification to 8000 bytes. */
const MAX_LOCKS_PER_NOTIFICATION = 500;

/** The parts of `NewCommand` that are the same for all locks. */
type SharedCommand = Pick<NewCommand, "type" | "subject" | "cardId" | "expiresAt">;

/** Writes the same command for many locks. Returns the ids of the commands. */
export function enqueueAll<T extends LockCommandName>(
  scope: Scope,
  tx: Transaction,
  lockIds: readonly number[],
  { args, ...shared }: Omit<NewCommand<T>, "credentialId">,
): Promise<string[]> {
  return enqueueEach(
    scope,
    tx,
    shared,
    lockIds.map((lockId) => ({ lockId, args })),
  );
}

/**
 * Writes one type of command for many locks, each with its own arguments. Returns the commands' ids in the order of
 * `commands`.
 */
export async function enqueueEach<T extends LockCommandName>(
  scope: Scope,
  tx: Transaction,
  shared: SharedCommand & { type: T },
  commands: readonly { lockId: number; args: LockArgs[T] }[],
): Promise<string[]> {
  const { type, subject, cardId, expiresAt = null } = shared;
  const ofLocks = commands.map((command) => ({ ...command, subject, credentialId: null, expiresAt }));
  return insertCommands(scope, tx, { type, cardId }, ofLocks);
}

/** A command about one credential; all of a call have the same type. */
export interface CredentialCommand<T extends LockCommandName> {
  lockId: number;
  credentialId: number;
  args: LockArgs[T];
  expiresAt: Date | null;
}

/** Writes one type of command for many credentials. Returns the ids of the commands. */
export function enqueueForCredentials<T extends LockCommandName>(
  scope: Scope,
  tx: Transaction,
  type: T,
  commands: readonly CredentialCommand<T>[],
): Promise<string[]> {
  const ofLocks = commands.map((command) => ({ ...command, subject: `credential:${command.credentialId}` }));
  return insertCommands(scope, tx, { type }, ofLocks);
}

/** Locks the rows of many locks in the order of their ids until the transaction ends. */
export async function selectLocksForUpdate(tx: Transaction, lockIds: readonly number[]): Promise<void> {
  await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = ANY ($2::int[]) ORDER BY id FOR NO KEY UPDATE", [
    ...lockIds,
  ]);
}

/** Supersedes the unsent commands of many subjects, as `supersede` does for one. */
export async function supersedeAll(
  scope: Scope,
  tx: Transaction,
  lockIds: readonly number[],
  subjects: readonly string[],
): Promise<void> {
  await tx.sql.rows(
    `UPDATE lock_command SET state = 'superseded', ended_at = $4::timestamptz, args_box = NULL
      WHERE hotel_id = $1 AND lock_id = ANY ($2::int[]) AND subject = ANY ($3::text[]) AND state = 'queued'
        AND (tries = 0 OR tries >= ${MAX_TRIES}) RETURNING id`,
    [...lockIds],
    [...new Set(subjects)],
    scope.now().toISOString(),
  );
}

interface CommandOfLock {
  lockId: number;
  subject: string;
  credentialId: number | null;
  args: unknown;
  expiresAt: Date | null;
}

/**
 * Uses a few statements for any number of locks, so that a hotel with thousands of locks stays within the transaction's
 * time limit. Returns the commands' ids.
 */
async function insertCommands(
  scope: Scope,
  tx: Transaction,
  { type, cardId }: { type: LockCommandName; cardId?: number | undefined },
  commands: readonly CommandOfLock[],
): Promise<string[]> {
  if (commands.length === 0) return [];
  const lockIds = commands.map(({ lockId }) => lockId);
  const sealed = commands.map(({ args }) => {
    const id = randomUUID();
    return { id, box: sealArgs(scope, id, args).toString("base64") };
  });
  await selectLocksForUpdate(tx, lockIds);
  await supersedeAll(
    scope,
    tx,
    lockIds,
    commands.map(({ subject }) => subject),
  );
  await tx.sql.rows(
    `INSERT INTO lock_command (id, hotel_id, lock_id, type, subject, credential_id, card_id, args_box, next_try_at, expires_at,
         created_by_id, created_at)
     SELECT e.id, $1::int, e.lock_id, $5::lock_command_type, e.subject, e.credential_id, $6::int, decode(e.box, 'base64'),
         $7::timestamptz, e.expires_at, $8::int, $7::timestamptz
       FROM unnest($2::int[], $3::uuid[], $4::text[], $9::text[], $10::int[], $11::timestamptz[])
         AS e (lock_id, id, box, subject, credential_id, expires_at) ORDER BY e.lock_id RETURNING id`,
    lockIds,
    sealed.map(({ id }) => id),
    sealed.map(({ box }) => box),
    type,
    cardId ?? null,
    scope.now().toISOString(),
    scope.operatorId,
    commands.map(({ subject }) => subject),
    commands.map(({ credentialId }) => credentialId),
    commands.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
  );
  for (let start = 0; start < lockIds.length; start += MAX_LOCKS_PER_NOTIFICATION) {
    await wakeWorkers(tx, lockIds.slice(start, start + MAX_LOCKS_PER_NOTIFICATION));
  }
  return sealed.map(({ id }) => id);
}

/**
 * Supersedes the unsent commands of a subject, and those that dropped to the lowest priority after many tries, because
 * they would run after newer ones. Returns their number.
 */
export async function supersede(scope: Scope, tx: Transaction, lockId: number, subject: string): Promise<number> {
  const { count } = await tx.db.lockCommand.updateMany({
    where: { lockId, subject, state: "queued", OR: [{ tries: 0 }, { tries: { gte: MAX_TRIES } }] },
    data: { state: "superseded", endedAt: scope.now(), argsBox: null },
  });
  return count;
}

/**
 * SQL: what changes in the row of a command that is withdrawn at the time `now`, a parameter. One that was sent is not sent
 * again.
 */
export const withdrawal = (now: string): string => `expires_at = least(k.expires_at, ${now}::timestamptz),
    state = CASE WHEN k.state = 'queued' THEN 'cancelled' ELSE k.state END,
    ended_at = CASE WHEN k.state = 'queued' THEN ${now}::timestamptz END,
    args_box = CASE WHEN k.state = 'queued' THEN NULL ELSE k.args_box END`;

/**
 * Supersedes commands that dropped to the lowest priority after many tries if a newer one has the same subject, because
 * the newer one would run first.
 */
export async function supersedeLowPriority(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  await tx.sql.rows(
    `UPDATE lock_command k SET state = 'superseded', ended_at = $3::timestamptz, args_box = NULL
      WHERE k.hotel_id = $1 AND k.lock_id = $2 AND k.state = 'queued' AND k.tries >= ${MAX_TRIES}
        AND EXISTS (SELECT FROM lock_command n
              WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq AND n.state IN ('queued', 'sent'))
      RETURNING k.id`,
    lockId,
    scope.now().toISOString(),
  );
}

/** Notifies the workers at commit that these locks have commands to process. */
export async function wakeWorkers(tx: Transaction, lockIds: readonly number[]): Promise<void> {
  await tx.sql.rows(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'locks', 'hotelId', $1::int, 'lockIds', $2::int[])::text)::text",
    lockIds,
  );
}

/**
 * Makes all queued commands of a lock due now and closes its breaker, on request or because the lock was seen. Returns
 * the number of queued commands.
 */
export async function tryNow(scope: Scope, tx: Transaction, lockId: number): Promise<number> {
  await tx.db.lock.updateMany({ where: { id: lockId }, data: { breakerOpenedAt: null, failures: 0 } });
  const { count } = await tx.db.lockCommand.updateMany({
    where: { lockId, state: "queued" },
    data: { nextTryAt: scope.now() },
  });
  if (count > 0) await wakeWorkers(tx, [lockId]);
  return count;
}

/**
 * Locks and returns the row of a lock until the transaction ends, so that commands, answers and timeouts of one lock
 * are processed one after another. Returns null if the lock doesn't exist or was removed.
 */
export async function selectLockForUpdate(tx: Transaction, lockId: number): Promise<Lock | null> {
  await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  return tx.db.lock.findFirst({ where: { id: lockId, deletedAt: null } });
}

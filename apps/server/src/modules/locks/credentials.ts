import type { CredentialKind, LockErrorCode } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { LockArgs } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Credential, Prisma } from "../../infra/database/generated/client.ts";
import type { AccessWindow } from "./access-window.ts";
import { enqueue, supersede } from "./commands.ts";
import { END_AT_LOCK } from "./credential.sql.ts";

/**
 * Keys on locks: one row per credential and lock, moving queued → sent → confirmed → used, or failed; revoking → revoked
 * (source: domain rules, Credentials). Every change of a row writes the command that makes it true at the door.
 */
export type RevokeReason =
  | "reissued"
  | "superseded"
  | "by_hand"
  | "lost"
  | "checked_out"
  | "room_changed"
  | "new_guest"
  | "lock_moved"
  | "sequence_reset"
  | "erased"
  | "period_over";

/** What a credential is, beyond the lock and the window. Exactly one of the three ids. */
export interface CredentialSubject {
  kind: CredentialKind;
  cardId?: number;
  passcodeId?: number;
  faceId?: number;
  stayId?: number | null;
  /** kind passcode: keyed hash of the code, see `codeHash` */
  codeHash?: Buffer<ArrayBuffer>;
  /** what the lock is told of it, beyond slot and window */
  what: Pick<LockArgs["set_credential"], "code" | "uid" | "recordNeeded" | "pass" | "card" | "faceId">;
}

export interface LockOfRoom {
  id: number;
  roomId: number;
}

/** The locks of rooms, in the order in which they must be locked. @throws lock_missing naming the first room without one */
export async function locksOfRooms(unit: Unit, roomIds: readonly number[]): Promise<LockOfRoom[]> {
  const rooms = await unit.db.room.findMany({
    where: { id: { in: [...roomIds] }, archivedAt: null },
    select: { id: true, name: true, lock: { select: { id: true } } },
  });
  if (rooms.length < new Set(roomIds).size) throw new DomainError("not_found");
  const without = rooms.find(({ lock }) => !lock);
  if (without) throw new DomainError("lock_missing", { roomName: without.name });
  return rooms.map((room) => ({ id: room.lock?.id ?? 0, roomId: room.id })).sort((a, b) => a.id - b.id);
}

/** The keyed hash by which a code is unique on a lock. */
export const codeHash = (scope: Scope, code: string): Buffer<ArrayBuffer> => scope.secrets.code.fingerprint(code);

/** The hashes by which the same code is found there, also while keys are being exchanged. */
export const codeHashes = (scope: Scope, code: string): Buffer<ArrayBuffer>[] => scope.secrets.code.fingerprints(code);

/**
 * Whether another live code of that lock is the same in a period that overlaps; `passcodeId` is the code's own passcode,
 * where it has one already. The database has the last word.
 */
export async function isCodeUsed(
  unit: Unit,
  lockId: number,
  hashes: Buffer<ArrayBuffer>[],
  { validFrom, validTo }: AccessWindow,
  passcodeId = 0,
): Promise<boolean> {
  const existing = await unit.db.credential.findFirst({
    where: {
      lockId,
      codeHash: { in: hashes },
      state: { not: "revoked" },
      passcodeId: { not: passcodeId },
      ...(validTo && { validFrom: { lt: validTo } }),
      OR: [
        { validTo: null },
        { validTo: { gt: validFrom } },
        { atLockTo: { gt: validFrom } },
        { atLockFrom: { not: null }, atLockTo: null },
      ],
    },
    select: { id: true },
  });
  return existing !== null;
}

/**
 * Gives a lock a credential. A lock that has the thing, or has not confirmed yet that it dropped it, keeps the slot and is
 * told the new window. Returns the row's id. @throws code_taken; state_conflict for a code or face that is removed meanwhile
 */
export async function grantCredential(
  scope: Scope,
  unit: Unit,
  lock: LockOfRoom,
  thing: CredentialSubject,
  window: AccessWindow,
): Promise<number> {
  const { what, codeHash: hash, kind, cardId, passcodeId, faceId, stayId } = thing;
  const of = { cardId: cardId ?? null, passcodeId: passcodeId ?? null, faceId: faceId ?? null };
  const event = { roomId: lock.roomId, stayId: stayId ?? null, ...window };
  const again = { state: "queued", failReason: "", revokedAt: null, revokeReason: "" } as const;
  const { hotelId } = scope;
  await requireThere(unit, thing);
  const former = await unit.db.credential.findFirst({ where: { lockId: lock.id, ...of, state: { not: "revoked" } } });
  const row = former
    ? await unit.db.credential.update({
        where: { id: former.id },
        data: { ...event, ...again, ...(await atLock(unit, former)) },
        select: { id: true },
      })
    : await unit.db.credential.create({
        data: { hotelId, lockId: lock.id, kind, ...of, ...event, codeHash: hash ?? null, createdAt: scope.now() },
        select: { id: true },
      });
  await send(scope, unit, { id: row.id, lockId: lock.id, kind, ...window }, what);
  return row.id;
}

/** A code or face is not given a door while it is being removed: whoever removes it takes back what it finds. */
async function requireThere(unit: Unit, { passcodeId, faceId }: CredentialSubject): Promise<void> {
  const id = passcodeId ?? faceId;
  if (id === undefined) return;
  const table = passcodeId === undefined ? "face" : "passcode";
  const rows = await unit.sql.rows(
    `SELECT id FROM ${table} WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL FOR KEY SHARE`,
    id,
  );
  if (rows.length === 0) throw new DomainError("state_conflict");
}

/** Answers by which a lock says that it did not take what it was sent. */
const REFUSALS: readonly LockErrorCode[] = [
  "full",
  "duplicate",
  "invalid",
  "unsupported",
  "busy",
  "too_simple",
  "refused",
  "frozen",
];

/**
 * The window that a lock may have for a credential that is about to get another: the one that it confirmed, and around it
 * the one that it was sent, unless it said that it did not take it.
 */
export async function atLock(
  unit: Unit,
  { id, state, validFrom, validTo, atLockFrom, atLockTo }: Credential,
): Promise<Pick<Credential, "atLockFrom" | "atLockTo">> {
  const confirmed = { atLockFrom, atLockTo };
  if (state === "confirmed" || state === "used") return confirmed;
  const last = await unit.db.lockCommand.findFirst({
    where: { credentialId: id, tries: { gt: 0 } },
    orderBy: { seq: "desc" },
    select: { type: true, state: true, error: true },
  });
  const mayHaveArrived =
    last?.type === "set_credential" && last.state !== "acknowledged" && !REFUSALS.some((error) => error === last.error);
  if (!mayHaveArrived) return confirmed;
  if (atLockFrom === null) return { atLockFrom: validFrom, atLockTo: validTo };
  return {
    atLockFrom: new Date(Math.min(atLockFrom.getTime(), validFrom.getTime())),
    atLockTo: atLockTo && validTo && new Date(Math.max(atLockTo.getTime(), validTo.getTime())),
  };
}

/** Locks may keep times less exactly than they were told. */
export const SAME_WINDOW_SECONDS = 60;

type Sendable = Pick<Credential, "id" | "lockId" | "kind" | "validFrom" | "validTo">;

/** Tells the lock what the credential is now. */
export async function send(
  scope: Scope,
  unit: Unit,
  credential: Sendable,
  what: CredentialSubject["what"],
): Promise<string> {
  const { id, lockId, kind, validFrom, validTo } = credential;
  return enqueue(scope, unit, lockId, {
    type: "set_credential",
    subject: `credential:${id}`,
    credentialId: id,
    expiresAt: validTo,
    args: {
      slot: id,
      kind,
      ...what,
      validFrom: validFrom.toISOString(),
      validTo: validTo?.toISOString() ?? null,
    },
  });
}

/** How long a lock is still told to forget what has run out by itself. */
const FORGET_MS = 86_400_000;

/**
 * Takes live credentials back. One that its lock was never told of is gone at once; every other stays `revoking` until
 * the lock confirms. Returns the rows that were live.
 */
export async function withdraw(
  scope: Scope,
  unit: Unit,
  which: Prisma.CredentialWhereInput,
  revokeReason: RevokeReason,
): Promise<Credential[]> {
  const live = await unit.db.credential.findMany({
    where: { AND: [which, { state: { notIn: ["revoking", "revoked"] } }] },
    orderBy: { lockId: "asc" },
  });
  for (const credential of live) await withdrawOne(scope, unit, credential, revokeReason);
  // A key whose time was over would go on with a renewal (stays/access.ts), but not after this.
  const over = { AND: [which, { revokeReason: "period_over" }] };
  if (revokeReason !== "period_over") await unit.db.credential.updateMany({ where: over, data: { revokeReason } });
  return live;
}

async function withdrawOne(scope: Scope, unit: Unit, credential: Credential, revokeReason: string): Promise<void> {
  const { id, lockId } = credential;
  const now = scope.now();
  await unit.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  await supersede(scope, unit, lockId, `credential:${id}`);
  const command = await unit.db.lockCommand.findFirst({
    where: { credentialId: id, OR: [{ tries: { gt: 0 } }, { state: { in: ["sent", "acknowledged"] } }] },
    select: { id: true },
  });
  const oneTime = await oneTimeOf(unit, credential);
  if (oneTime ? oneTime.spent : !command && credential.atLockFrom === null) {
    const data = { state: "revoked" as const, revokedAt: now, revokeReason };
    await unit.db.credential.update({ where: { id }, data });
    return;
  }
  await unit.db.credential.update({ where: { id }, data: { state: "revoking", revokedAt: now, revokeReason } });
  await askToForget(scope, unit, credential);
}

/** Tells the lock to drop a credential that was taken back, or to refuse a code that it computes by itself. */
export async function askToForget(scope: Scope, unit: Unit, credential: Credential): Promise<string> {
  const { id, lockId } = credential;
  const ends = await endAtLock(unit, id);
  const common = {
    subject: `credential:${id}`,
    credentialId: id,
    expiresAt: ends ? new Date(Math.max(ends.getTime(), scope.now().getTime() + FORGET_MS)) : null,
  };
  const oneTime = await oneTimeOf(unit, credential);
  return oneTime
    ? enqueue(scope, unit, lockId, { type: "skip_code", args: { counter: oneTime.counter }, ...common })
    : enqueue(scope, unit, lockId, { type: "remove_credential", args: { slot: id }, ...common });
}

/** When a credential is over by its lock's clock, whichever of its windows the lock has; null: never by itself. */
export async function endAtLock(unit: Unit, credentialId: number): Promise<Date | null> {
  const [row] = await unit.sql.rows<{ end: string | null }>(
    `SELECT iso(${END_AT_LOCK}) AS "end" FROM credential t JOIN lock l ON l.id = t.lock_id WHERE t.hotel_id = $1 AND t.id = $2::int`,
    credentialId,
  );
  return row && row.end !== null ? new Date(row.end) : null;
}

/** A one-time code's counter; `spent` once it was used, or a later one was: the lock takes none below its floor. */
async function oneTimeOf(
  unit: Unit,
  { passcodeId, lockId, state }: Credential,
): Promise<{ counter: number; spent: boolean } | null> {
  if (passcodeId === null) return null;
  const where = { id: passcodeId, type: "one_time" as const };
  const passcode = await unit.db.passcode.findFirst({ where, select: { otpCounter: true } });
  if (!passcode) return null;
  const { otpFloor } = await unit.db.lock.findFirstOrThrow({ where: { id: lockId }, select: { otpFloor: true } });
  const counter = passcode.otpCounter ?? 0n;
  return { counter: Number(counter), spent: state === "used" || counter < otpFloor };
}

import type { CredentialKind, LockErrorCode, RevokeReason } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { LockArgs } from "@innkey/shared/locks/protocol";
import { includesHours, type WeekHours } from "@innkey/shared/locks/week-hours";
import type { Credential, CredentialState, Prisma } from "../../../adapters/postgres/generated/client.ts";
import { LostRaceError } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import {
  enqueue,
  enqueueForCredentials,
  NOTABLE_DRIFT_SECONDS,
  selectLocksForUpdate,
  supersede,
  supersedeAll,
} from "../lock-commands/commands.ts";
import type { AccessWindow } from "./key-period.ts";

/** Joins that `credentialJson` needs for credential `c`: its lock `l`, its room `r` or common door `dr`, and its pending command `w`. */
export const CREDENTIAL_JOINS = `JOIN lock l ON l.id = c.lock_id
  LEFT JOIN room r ON r.id = c.room_id
  LEFT JOIN door dr ON dr.id = l.door_id AND c.room_id IS NULL
  LEFT JOIN LATERAL (SELECT k.next_try_at, k.tries FROM lock_command k
    WHERE k.lock_id = c.lock_id AND k.credential_id = c.id AND k.state IN ('queued', 'sent')
    ORDER BY k.seq DESC LIMIT 1) w ON true`;

/** End of credential `t` by the clock of its lock `l`, for the latest window that the lock may have; null: no end. */
const endAtLockOf = (t: string): string =>
  `end_at_lock(furthest_end(${t}.valid_to, ${t}.at_lock_from, ${t}.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)`;
export const END_AT_LOCK = endAtLockOf("t");

/**
 * Whether live credential `t` has expired but its lock `l` still accepts it, because it has not received the earlier end
 * or its clock is known to be slow. Zigbee locks store no end; zigbee-locks.ts removes their codes. `now`: placeholder
 * of the instant. A clock difference counts for at most 30 days (the rule is in prisma/migrations).
 */
export const overruns = (now: string, t = "t", reason = `(${hasLateEnd(t)} OR ${hasSlowClock(now, t)})`): string =>
  `(${t}.state NOT IN ('revoking', 'revoked') AND ${t}.valid_to <= ${now}::timestamptz AND ${t}.at_lock_from IS NOT NULL
    AND l.deleted_at IS NULL AND l.driver <> 'zigbee2mqtt' AND ${reason}
    AND (${t}.at_lock_to IS NULL OR ${endAtLockOf(t)} > ${now}::timestamptz))`;
const hasLateEnd = (t: string): string => `(${t}.at_lock_to IS NULL OR ${t}.at_lock_to > ${t}.valid_to)`;
const hasSlowClock = (now: string, t: string): string =>
  `(l.drift_seconds < -${NOTABLE_DRIFT_SECONDS} AND ${t}.valid_to > ${now}::timestamptz - interval '31 days')`;

/** Finds these credentials in all hotels by their indexes: each with `id`, `"hotelId"` and `"lockId"`. */
export const overrunningKeys = (now: string): string =>
  `SELECT * FROM (${[hasLateEnd("t"), hasSlowClock(now, "t")]
    .map(
      (reason) => `
  SELECT t.id, t.hotel_id AS "hotelId", t.lock_id AS "lockId" FROM credential t JOIN lock l ON l.id = t.lock_id
  WHERE ${overruns(now, "t", reason)}`,
    )
    .join(" UNION ")}) overrunning`;

/**
 * A credential in the form of `credentialRow` (schemas/locks.ts). `label` and `state` are SQL expressions from the
 * caller.
 */
export const credentialJson = (label: string, state = "c.state"): string => `json_build_object(
  'id', c.id, 'kind', c.kind, 'state', ${state}, 'lockId', c.lock_id, 'roomId', c.room_id, 'roomName', coalesce(r.name, dr.name),
  'lockOnline', l.online, 'lockHeardAt', iso(l.last_seen_at), 'cardId', c.card_id, 'passcodeId', c.passcode_id, 'faceId', c.face_id, 'label', ${label},
  'validFrom', iso(c.valid_from), 'validTo', iso(c.valid_to), 'hoursChangedAt', iso(c.hours_changed_at), 'failReason', c.fail_reason,
  'nextTryAt', iso(w.next_try_at), 'tries', coalesce(w.tries, 0), 'confirmedAt', iso(c.confirmed_at),
  'usedAt', iso(c.used_at), 'revokedAt', iso(c.revoked_at), 'createdAt', iso(c.created_at))`;

/** The card, code or face of a credential, without lock and window. Exactly one of the three ids is set. */
export interface CredentialSubject {
  kind: CredentialKind;
  cardId?: number;
  passcodeId?: number;
  faceId?: number;
  stayId?: number | null;
  /** for a passcode: keyed hash of the code, see `codeHash` */
  codeHash?: Buffer<ArrayBuffer>;
  /** arguments of set_credential apart from slot and window */
  content: Pick<LockArgs["set_credential"], "code" | "uid" | "recordNeeded" | "pass" | "card" | "faceId" | "hours">;
}

/** A lock on a room's door or, with `roomId` null, on a common door. */
export interface LockOnDoor {
  id: number;
  roomId: number | null;
}

export interface LockOfRoom extends LockOnDoor {
  roomId: number;
}

/**
 * Returns the locks of rooms, in the order in which their rows must be locked. @throws not_found; lock_missing naming
 * the first room without a lock
 */
export async function locksOfRooms(tx: Transaction, roomIds: readonly number[]): Promise<LockOfRoom[]> {
  const rooms = await tx.db.room.findMany({
    where: { id: { in: [...roomIds] }, deletedAt: null },
    select: { id: true, name: true, lock: { select: { id: true } } },
  });
  if (rooms.length < new Set(roomIds).size) throw new DomainError("not_found");
  const roomWithoutLock = rooms.find(({ lock }) => !lock);
  if (roomWithoutLock) throw new DomainError("lock_missing", { roomName: roomWithoutLock.name });
  return rooms.map((room) => ({ id: room.lock?.id ?? 0, roomId: room.id })).sort((a, b) => a.id - b.id);
}

/**
 * Returns the locks of common doors, by id. The caller sees the whole hotel. @throws not_found; lock_missing naming the
 * first door without a lock
 */
export async function locksOfCommonDoors(tx: Transaction, doorIds: readonly number[]): Promise<LockOnDoor[]> {
  if (doorIds.length === 0) return [];
  const doors = await tx.db.door.findMany({
    where: { id: { in: [...doorIds] }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { name: true, lock: { select: { id: true } } },
  });
  if (doors.length < new Set(doorIds).size) throw new DomainError("not_found");
  const locks = doors.map(({ name, lock }) => {
    if (!lock) throw new DomainError("lock_missing", { roomName: name });
    return { id: lock.id, roomId: null };
  });
  return locks.sort((a, b) => a.id - b.id);
}

/** Returns the keyed hash that makes a code unique on a lock. */
export const codeHash = (scope: Scope, code: string): Buffer<ArrayBuffer> => scope.secrets.code.fingerprint(code);

/** Returns the hashes under which a code may be stored, including those of older keys during a key rotation. */
export const codeHashes = (scope: Scope, code: string): Buffer<ArrayBuffer>[] => scope.secrets.code.fingerprints(code);

/**
 * Checks whether another live credential on the lock has the same code in an overlapping period. `passcodeId` excludes
 * the code's own passcode. A constraint in the database makes the final decision.
 */
export async function isCodeUsed(
  tx: Transaction,
  lockId: number,
  hashes: Buffer<ArrayBuffer>[],
  { validFrom, validTo }: AccessWindow,
  passcodeId = 0,
): Promise<boolean> {
  const existing = await tx.db.credential.findFirst({
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
 * Grants a credential on a lock. If the lock already has it, or has not confirmed its removal, the row and slot are
 * reused and the new window is sent. Returns the row's id. @throws code_taken; state_conflict if the code or face is
 * being removed
 */
export async function grantCredential(
  scope: Scope,
  tx: Transaction,
  lock: LockOnDoor,
  subject: CredentialSubject,
  window: AccessWindow,
): Promise<number> {
  const { content, codeHash: hash, kind, cardId, passcodeId, faceId, stayId } = subject;
  const ids = { cardId: cardId ?? null, passcodeId: passcodeId ?? null, faceId: faceId ?? null };
  const event = { roomId: lock.roomId, stayId: stayId ?? null, ...window };
  const revived = { state: "queued", failReason: null, revokedAt: null, revokeReason: null } as const;
  const { hotelId } = scope;
  await requireNotDeleted(tx, subject);
  await selectLocksOnDoors(tx, [lock]);
  const existing = await tx.db.credential.findFirst({ where: { lockId: lock.id, ...ids, state: { not: "revoked" } } });
  const row = existing
    ? await tx.db.credential.update({
        where: { id: existing.id },
        data: { ...event, ...revived, ...(await windowAtLock(tx, existing)) },
        select: { id: true },
      })
    : await tx.db.credential.create({
        data: { hotelId, lockId: lock.id, kind, ...ids, ...event, codeHash: hash ?? null, createdAt: scope.now() },
        select: { id: true },
      });
  await sendCredential(scope, tx, { id: row.id, lockId: lock.id, kind, ...window }, content);
  return row.id;
}

/**
 * Locks the rows of locks in the order of their ids until the transaction ends, and checks that each is still on the door
 * where the caller found it. @throws LostRaceError for a lock that was removed, replaced or moved meanwhile
 */
async function selectLocksOnDoors(tx: Transaction, locks: readonly LockOnDoor[]): Promise<void> {
  const rows = await tx.sql.rows<LockOnDoor>(
    `SELECT id, room_id AS "roomId" FROM lock
      WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL AND (room_id IS NOT NULL OR door_id IS NOT NULL)
      ORDER BY id FOR NO KEY UPDATE`,
    locks.map(({ id }) => id),
  );
  const roomOf = new Map(rows.map(({ id, roomId }) => [id, roomId]));
  if (locks.some(({ id, roomId }) => roomOf.get(id) !== roomId)) throw new LostRaceError("a lock left its door");
}

/** The card of a credential that is granted on many locks. */
interface ListedCard {
  cardId: number;
  stayId: number | null;
  content: CredentialSubject["content"];
}

/**
 * Grants a card on many locks as `grantCredential` does on one, with a few statements for any number of locks: a master key
 * card of a large hotel has to be on hundreds of them within one transaction. The locks are in the order of their ids.
 */
export async function grantCardOnLocks(
  scope: Scope,
  tx: Transaction,
  locks: readonly LockOnDoor[],
  { cardId, stayId, content }: ListedCard,
  window: AccessWindow,
): Promise<void> {
  if (locks.length === 0) return;
  const lockIds = locks.map(({ id }) => id);
  await selectLocksOnDoors(tx, locks);
  const existing = await tx.db.credential.findMany({
    where: { cardId, lockId: { in: lockIds }, state: { not: "revoked" } },
  });
  const roomOf = new Map(locks.map(({ id, roomId }) => [id, roomId]));
  // What a lock has confirmed stays what it may have, so these rows need no look at their commands.
  const unchanged = existing.filter(
    ({ lockId, roomId, state }) => (state === "confirmed" || state === "used") && roomId === roomOf.get(lockId),
  );
  const others = new Set(existing.filter((row) => !unchanged.includes(row)).map(({ lockId }) => lockId));
  const listed = new Set(existing.map(({ lockId }) => lockId));
  await tx.db.credential.updateMany({
    where: { id: { in: unchanged.map(({ id }) => id) } },
    data: { stayId, ...window, state: "queued", failReason: null, revokedAt: null, revokeReason: null },
  });
  const created = await insertCardCredentials(
    scope,
    tx,
    locks.filter(({ id }) => !listed.has(id)),
    { cardId, stayId },
    window,
  );
  const rows = [...unchanged, ...created].sort((a, b) => a.lockId - b.lockId);
  await enqueueForCredentials(
    scope,
    tx,
    "set_credential",
    rows.map(({ id, lockId }) => ({
      lockId,
      credentialId: id,
      args: credentialArgs(scope, { id, kind: "card", ...window }, content),
      expiresAt: window.validTo,
    })),
  );
  for (const lock of locks)
    if (others.has(lock.id)) await grantCredential(scope, tx, lock, { kind: "card", cardId, stayId, content }, window);
}

async function insertCardCredentials(
  scope: Scope,
  tx: Transaction,
  locks: readonly LockOnDoor[],
  { cardId, stayId }: Pick<ListedCard, "cardId" | "stayId">,
  { validFrom, validTo }: AccessWindow,
): Promise<{ id: number; lockId: number }[]> {
  return tx.sql.rows<{ id: number; lockId: number }>(
    `INSERT INTO credential (hotel_id, lock_id, room_id, kind, card_id, stay_id, valid_from, valid_to, created_at)
     SELECT $1::int, e.lock_id, e.room_id, 'card', $4::int, $5::int, $6::timestamptz, $7::timestamptz, $8::timestamptz
       FROM unnest($2::int[], $3::int[]) AS e (lock_id, room_id) ORDER BY e.lock_id
     RETURNING id, lock_id AS "lockId"`,
    locks.map(({ id }) => id),
    locks.map(({ roomId }) => roomId),
    cardId,
    stayId,
    validFrom,
    validTo,
    scope.now().toISOString(),
  );
}

/**
 * Locks the row of a code or face, so that it gets no new door while another transaction removes it. @throws
 * state_conflict
 */
async function requireNotDeleted(tx: Transaction, { passcodeId, faceId }: CredentialSubject): Promise<void> {
  const id = passcodeId ?? faceId;
  if (id === undefined) return;
  const table = passcodeId === undefined ? "face" : "passcode";
  const rows = await tx.sql.rows(
    `SELECT id FROM ${table} WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL FOR KEY SHARE`,
    id,
  );
  if (rows.length === 0) throw new DomainError("state_conflict");
}

/** Lock errors that mean the credential was not stored. */
const NOT_STORED_ERRORS: readonly LockErrorCode[] = [
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
 * Returns the window that a lock may have for a credential that is about to get another one: the confirmed window,
 * extended by the last one sent unless the lock refused it.
 */
export async function windowAtLock(
  tx: Transaction,
  { id, state, validFrom, validTo, atLockFrom, atLockTo }: Credential,
): Promise<Pick<Credential, "atLockFrom" | "atLockTo">> {
  const confirmed = { atLockFrom, atLockTo };
  if (state === "confirmed" || state === "used") return confirmed;
  const last = await tx.db.lockCommand.findFirst({
    where: { credentialId: id, tries: { gt: 0 } },
    orderBy: { seq: "desc" },
    select: { type: true, state: true, error: true },
  });
  const mayHaveArrived =
    last?.type === "set_credential" &&
    last.state !== "acknowledged" &&
    !NOT_STORED_ERRORS.some((error) => error === last.error);
  if (!mayHaveArrived) return confirmed;
  if (atLockFrom === null) return { atLockFrom: validFrom, atLockTo: validTo };
  return {
    atLockFrom: new Date(Math.min(atLockFrom.getTime(), validFrom.getTime())),
    atLockTo: atLockTo && validTo && new Date(Math.max(atLockTo.getTime(), validTo.getTime())),
  };
}

/** Tolerance in seconds for comparing windows, because locks may store times less precisely. */
export const SAME_WINDOW_SECONDS = 60;

/** Tolerance in milliseconds for a lock's clock that is behind; clocks that are off by more than 20 s are set. */
const CLOCK_LAG_MS = 30_000;

/**
 * Returns the start to send to the lock. A key that is valid immediately starts earlier, because the lock's clock may
 * be behind.
 */
function startAtLock(scope: Scope, validFrom: Date): Date {
  return validFrom > scope.now() ? validFrom : new Date(validFrom.getTime() - CLOCK_LAG_MS);
}

type Sendable = Pick<Credential, "id" | "lockId" | "kind" | "validFrom" | "validTo">;

/** Sends the current content and window of a credential to its lock. Returns the command's id. */
export async function sendCredential(
  scope: Scope,
  tx: Transaction,
  credential: Sendable,
  content: CredentialSubject["content"],
): Promise<string> {
  const { id, lockId, validTo } = credential;
  return enqueue(scope, tx, lockId, {
    type: "set_credential",
    subject: `credential:${id}`,
    credentialId: id,
    expiresAt: validTo,
    args: credentialArgs(scope, credential, content),
  });
}

const credentialArgs = (
  scope: Scope,
  { id, kind, validFrom, validTo }: Omit<Sendable, "lockId">,
  content: CredentialSubject["content"],
): LockArgs["set_credential"] => ({
  slot: id,
  kind,
  ...content,
  validFrom: startAtLock(scope, validFrom).toISOString(),
  validTo: validTo?.toISOString() ?? null,
});

/**
 * Notes that locks may still have the former hours of a card or code, after the new ones were sent. They are a risk if the
 * new ones leave out some of them.
 */
export async function markFormerHours(
  scope: Scope,
  tx: Transaction,
  subject: { cardId: number } | { passcodeId: number },
  { before, hours }: { before: WeekHours; hours: WeekHours },
): Promise<void> {
  const mayHaveFormer = { ...subject, state: { notIn: [...ENDED] }, atLockFrom: { not: null } };
  await tx.db.credential.updateMany({ where: mayHaveFormer, data: { hoursChangedAt: scope.now() } });
  if (!includesHours(hours, before))
    await tx.db.credential.updateMany({ where: mayHaveFormer, data: { hoursCut: true } });
}

const ENDED: CredentialState[] = ["revoking", "revoked"];

/** What a credential is when its lock has confirmed its hours, or has no hours for it any more. */
export const HOURS_CONFIRMED = { hoursChangedAt: null, hoursCut: false } as const;

/** Minimum time in milliseconds for which a removal command stays valid, even if the credential expires earlier. */
const MIN_REMOVAL_MS = 86_400_000;

/**
 * Revokes live credentials. One that was never sent to its lock is revoked at once; all others stay `revoking` until
 * the lock confirms. Returns the credentials that were live.
 */
export async function revokeCredentials(
  scope: Scope,
  tx: Transaction,
  where: Prisma.CredentialWhereInput,
  revokeReason: RevokeReason,
): Promise<Credential[]> {
  const live = await tx.db.credential.findMany({
    where: { AND: [where, { state: { notIn: ["revoking", "revoked"] } }] },
    orderBy: { lockId: "asc" },
  });
  await revokeCardCredentials(
    scope,
    tx,
    live.filter(({ cardId }) => cardId !== null),
    revokeReason,
  );
  for (const credential of live) if (credential.cardId === null) await revokeOne(scope, tx, credential, revokeReason);
  // Extending a stay revives credentials that were revoked with "period_over" (stay-access.ts), and the next lock of a door
  // gets those revoked with "lock_moved" (waiting-keys.ts). Neither must revive those that also ended for another reason.
  const revivable: RevokeReason[] = revokeReason === "lock_moved" ? ["period_over"] : ["period_over", "lock_moved"];
  const dormant = { AND: [where, { revokeReason: { in: revivable } }] };
  if (revokeReason !== "period_over") await tx.db.credential.updateMany({ where: dormant, data: { revokeReason } });
  return live;
}

/** As `revokeOne`, with a few statements for any number of cards and locks. */
async function revokeCardCredentials(
  scope: Scope,
  tx: Transaction,
  credentials: readonly Credential[],
  revokeReason: RevokeReason,
): Promise<void> {
  if (credentials.length === 0) return;
  const now = scope.now();
  const lockIds = [...new Set(credentials.map(({ lockId }) => lockId))];
  const ids = credentials.map(({ id }) => id);
  await selectLocksForUpdate(tx, lockIds);
  await supersedeAll(
    scope,
    tx,
    lockIds,
    ids.map((id) => `credential:${id}`),
  );
  const commands = await tx.db.lockCommand.findMany({
    where: { credentialId: { in: ids }, OR: [{ tries: { gt: 0 } }, { state: { in: ["sent", "acknowledged"] } }] },
    distinct: ["credentialId"],
    select: { credentialId: true },
  });
  const sent = new Set(commands.map(({ credentialId }) => credentialId));
  const atLocks = credentials.filter(({ id, atLockFrom }) => sent.has(id) || atLockFrom !== null);
  const elsewhere = credentials.filter((credential) => !atLocks.includes(credential));
  const end = { revokedAt: now, revokeReason };
  await tx.db.credential.updateMany({
    where: { id: { in: elsewhere.map(({ id }) => id) } },
    data: { state: "revoked", ...end },
  });
  await tx.db.credential.updateMany({
    where: { id: { in: atLocks.map(({ id }) => id) } },
    data: { state: "revoking", ...end },
  });
  const ends = await endsAtLocks(
    tx,
    atLocks.map(({ id }) => id),
  );
  await enqueueForCredentials(
    scope,
    tx,
    "remove_credential",
    atLocks.map(({ id, lockId }) => ({
      lockId,
      credentialId: id,
      args: { slot: id },
      expiresAt: endOfRemoval(scope, ends.get(id) ?? null),
    })),
  );
}

/** Until when a removal command is valid, for a credential that ends at `endsAt` by its lock's clock. */
const endOfRemoval = (scope: Scope, endsAt: Date | null): Date | null =>
  endsAt && new Date(Math.max(endsAt.getTime(), scope.now().getTime() + MIN_REMOVAL_MS));

async function revokeOne(
  scope: Scope,
  tx: Transaction,
  credential: Credential,
  revokeReason: RevokeReason,
): Promise<void> {
  const { id, lockId } = credential;
  const now = scope.now();
  await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
  await supersede(scope, tx, lockId, `credential:${id}`);
  const command = await tx.db.lockCommand.findFirst({
    where: { credentialId: id, OR: [{ tries: { gt: 0 } }, { state: { in: ["sent", "acknowledged"] } }] },
    select: { id: true },
  });
  const oneTime = await findOneTimeCode(tx, credential);
  if (oneTime ? oneTime.isSpent : !command && credential.atLockFrom === null) {
    const data = { state: "revoked" as const, revokedAt: now, revokeReason };
    await tx.db.credential.update({ where: { id }, data });
    return;
  }
  await tx.db.credential.update({ where: { id }, data: { state: "revoking", revokedAt: now, revokeReason } });
  await enqueueRemoval(scope, tx, credential);
}

/** Commands the lock to remove a revoked credential, or to skip the counter of a revoked one-time code. */
export async function enqueueRemoval(scope: Scope, tx: Transaction, credential: Credential): Promise<string> {
  const { id, lockId } = credential;
  const endsAt = await endAtLock(tx, id);
  const common = {
    subject: `credential:${id}`,
    credentialId: id,
    expiresAt: endOfRemoval(scope, endsAt),
  };
  const oneTime = await findOneTimeCode(tx, credential);
  return oneTime
    ? enqueue(scope, tx, lockId, { type: "skip_code", args: { counter: oneTime.counter }, ...common })
    : enqueue(scope, tx, lockId, { type: "remove_credential", args: { slot: id }, ...common });
}

/** Returns the end of a credential by its lock's clock, for the latest window that the lock may have; null: no end. */
export async function endAtLock(tx: Transaction, credentialId: number): Promise<Date | null> {
  return (await endsAtLocks(tx, [credentialId])).get(credentialId) ?? null;
}

/** Returns the ends of credentials as `endAtLock` does, by their ids. */
async function endsAtLocks(tx: Transaction, credentialIds: readonly number[]): Promise<Map<number, Date | null>> {
  const rows = await tx.sql.rows<{ id: number; end: string | null }>(
    `SELECT t.id, iso(${END_AT_LOCK}) AS "end" FROM credential t JOIN lock l ON l.id = t.lock_id
      WHERE t.hotel_id = $1 AND t.id = ANY ($2::int[])`,
    [...credentialIds],
  );
  return new Map(rows.map(({ id, end }) => [id, end === null ? null : new Date(end)]));
}

/**
 * Returns a one-time code's counter, or null for other credentials. `isSpent`: this or a later code was used, and the
 * lock refuses counters below its floor.
 */
async function findOneTimeCode(
  tx: Transaction,
  { passcodeId, lockId, state }: Credential,
): Promise<{ counter: number; isSpent: boolean } | null> {
  if (passcodeId === null) return null;
  const where = { id: passcodeId, type: "one_time" as const };
  const passcode = await tx.db.passcode.findFirst({ where, select: { otpCounter: true } });
  if (!passcode) return null;
  const { otpFloor } = await tx.db.lock.findFirstOrThrow({ where: { id: lockId }, select: { otpFloor: true } });
  const counter = passcode.otpCounter ?? 0n;
  return { counter: Number(counter), isSpent: state === "used" || counter < otpFloor };
}

import { MAX_SEQUENCE } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert } from "../../messaging/public.ts";
import { raiseCardSequence } from "../../property/public.ts";
import { grantDoorCards } from "../cards/card-doors.ts";
import { revokeGuestCardsOfLock } from "../cards/refusals.ts";
import { endOneTimeCards } from "../cards/revoke-cards.ts";
import { limitShowings } from "../cards/showings.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import {
  type CredentialSubject,
  grantCredential,
  isCodeUsed,
  type LockOfRoom,
  revokeCredentials,
} from "../credentials/credentials.ts";
import { reopenRevocations } from "../credentials/returned-keys.ts";
import { periodNow, selectWaitingKeys } from "../credentials/waiting-keys.ts";
import { fitKeysToZones } from "../zones/stay-zones.ts";
import { updateLockZones } from "../zones/update-lock-zones.ts";
import { configureLock } from "./configure.ts";

/**
 * Grants a room's codes and faces to the lock that it gets, for the time that they have now. One-time codes are left out,
 * because only the former lock could compute them, and codes that another key has at this lock. So are keys with days and
 * hours at a lock of another make, which can't receive them.
 */
async function grantWaitingKeys(scope: Scope, tx: Transaction, lock: LockOfRoom): Promise<void> {
  const { driver } = await tx.db.lock.findFirstOrThrow({ where: { id: lock.id }, select: { driver: true } });
  for (const credential of await selectWaitingKeys(tx, lock.roomId)) {
    const { kind, cardId, passcodeId, faceId, stayId, codeHash, note } = credential;
    const window = cardId === null && (await periodNow(scope, tx, credential));
    const hash = codeHash && Buffer.from(codeHash);
    if (!window || (hash && (await isCodeUsed(tx, lock.id, [hash], window, passcodeId ?? 0)))) continue;
    const content = await credentialContent(scope, tx, credential);
    if (content.hours && driver !== "mqtt") continue;
    const subject: CredentialSubject = {
      kind,
      stayId,
      content,
      ...(passcodeId !== null && { passcodeId }),
      ...(faceId !== null && { faceId }),
      ...(hash && { codeHash: hash }),
    };
    const id = await grantCredential(scope, tx, lock, subject, window);
    if (note) await tx.db.credential.update({ where: { id }, data: { note } });
    if (passcodeId === null) continue;
    const isOfFormerRoom = credential.roomId !== lock.roomId;
    await tx.db.passcode.update({
      where: { id: passcodeId },
      data: { ...window, ...(isOfFormerRoom && { roomId: lock.roomId }) },
    });
  }
}

/**
 * Takes a lock off its door. Its credentials are revoked, and the room's cards name a lock that is no longer there. They
 * are revoked too, so that they don't open its next door; with `keepsGuestCards` they keep their common doors, and are
 * revoked only if the lock comes back (`reviveLock`). If a block-out card kept guests out, an alert says that the door's next
 * lock lets them in.
 */
export async function removeFromDoor(
  scope: Scope,
  tx: Transaction,
  lock: Pick<Lock, "id" | "roomId" | "doorId" | "sequenceFrom" | "blockedOutAt">,
  { keepsGuestCards = false } = {},
): Promise<void> {
  const { id, roomId, doorId, blockedOutAt } = lock;
  if (blockedOutAt !== null) {
    const params = { at: blockedOutAt.toISOString() };
    await raiseAlert(scope, tx, { kind: "block_out_ended", lockId: id, roomId, params });
  }
  await endOneTimeCards(scope, tx, id);
  await revokeCredentials(scope, tx, { lockId: id }, "lock_moved");
  if (doorId !== null) {
    await tx.db.lock.update({ where: { id }, data: { doorId: null } });
    await updateLockZones(scope, tx);
  }
  if (roomId === null) return;
  if (!keepsGuestCards) await revokeGuestCardsOfLock(scope, tx, lock);
  await tx.db.lock.update({ where: { id }, data: { roomId: null } });
  tx.boardChanged([roomId]);
}

/**
 * Prepares a removed lock for coming back to the hotel. What it may still have on its list is removed, unless its new door
 * grants it again; until it confirms that, it may open for these keys. Cards that still carry its number would open whatever door it gets,
 * so they are revoked. A lock whose keys were written off refuses every card; it begins a new run of sequences, and the
 * cards of earlier runs are blocked by their numbers.
 */
export async function reviveLock(scope: Scope, tx: Transaction, lock: Lock): Promise<void> {
  const { id } = lock;
  let { sequenceFrom } = lock;
  if (lock.guestFloor > MAX_SEQUENCE) {
    sequenceFrom = scope.now();
    const written = { kind: "guest" as const, overTheAir: false, lockNumber: id };
    await tx.db.lock.update({ where: { id }, data: { guestFloor: 0, sequenceFrom } });
    await tx.db.card.updateMany({
      where: { ...written, state: "revoked", OR: [{ validTo: null }, { validTo: { gt: sequenceFrom } }] },
      data: { state: "revoking" },
    });
  }
  await tx.db.lock.update({ where: { id }, data: { deletedAt: null, replacedById: null } });
  await revokeGuestCardsOfLock(scope, tx, { id, sequenceFrom });
  await reopenRevocations(scope, tx, id);
}

/**
 * Assigns a lock without a door to a room. Cards of the lock's former doors carry its number, so the room's issue
 * sequence rises above all cards made for this lock, and the lock is configured to refuse lower ones. Cards made for
 * other locks don't matter, because they are written with other keys.
 */
export async function assignToRoom(scope: Scope, tx: Transaction, lockId: number, roomId: number): Promise<void> {
  const [cards] = await tx.sql.rows<{ newest: number | null }>(
    `SELECT max(c.sequence) AS newest FROM lock l
       JOIN card c ON c.hotel_id = $1 AND c.lock_number = l.id
        AND (l.sequence_from IS NULL OR c.created_at >= l.sequence_from)
      WHERE l.hotel_id = $1 AND l.id = $2::int`,
    lockId,
  );
  if (cards && cards.newest !== null) await raiseCardSequence(tx, roomId, cards.newest + 1);
  const { accessHash } = await tx.db.lock.update({
    where: { id: lockId },
    data: { roomId },
    select: { accessHash: true },
  });
  if (accessHash) await configureLock(scope, tx, lockId);
  await grantDoorCards(scope, tx, { id: lockId, roomId });
  await grantWaitingKeys(scope, tx, { id: lockId, roomId });
  await limitShowings(scope, tx, { roomId });
  tx.boardChanged([roomId]);
}

/**
 * Puts a lock without a door on a common door. It gets the hotel's keys if it is connected, and the cards that open every
 * door. Room cards with its number open no room any more, because it refuses them since it left the room's door.
 */
export async function assignToCommonDoor(scope: Scope, tx: Transaction, lockId: number, doorId: number): Promise<void> {
  const { accessHash } = await tx.db.lock.update({
    where: { id: lockId },
    data: { doorId },
    select: { accessHash: true },
  });
  if (accessHash) await configureLock(scope, tx, lockId);
  await grantDoorCards(scope, tx, { id: lockId, roomId: null });
  await updateLockZones(scope, tx);
  await fitKeysToZones(scope, tx, null);
}

/** Lock data that a person enters for a room. */
export interface DoorLock {
  /** upper-case hex with colons */
  mac: string;
  bluetoothName: string;
}

export function lockOf(tx: Transaction, roomId: number): Promise<DoorLock | null> {
  return tx.db.lock.findFirst({ where: { roomId }, select: { mac: true, bluetoothName: true } });
}

/** Inserts the locks of new rooms. @throws address_taken */
export async function insertLocks(
  scope: Scope,
  tx: Transaction,
  doors: readonly { roomId: number; lock: DoorLock }[],
): Promise<void> {
  const { hotelId } = scope;
  const createdAt = scope.now();
  await tx.db.lock.createMany({ data: doors.map(({ roomId, lock }) => ({ hotelId, ...lock, roomId, createdAt })) });
}

/**
 * Makes `lock` the lock of a room's door; null leaves the door without one. A removed lock keeps its records and may be
 * assigned to another door later; credentials granted for this door end. @throws name_taken for a lock that is on
 * another door
 */
export async function setRoomLock(scope: Scope, tx: Transaction, roomId: number, lock: DoorLock | null): Promise<void> {
  const existing = lock && (await tx.db.lock.findFirst({ where: { mac: lock.mac } }));
  const isElsewhere =
    existing && (existing.doorId !== null || (existing.roomId !== null && existing.roomId !== roomId));
  if (lock && isElsewhere) {
    throw new DomainError("name_taken", { name: lock.mac }, { "lock.mac": { key: "validation.macTaken" } });
  }
  const formerLock = await tx.db.lock.findFirst({
    where: { roomId },
    select: { id: true, roomId: true, doorId: true, sequenceFrom: true, blockedOutAt: true },
  });
  if (formerLock && formerLock.id !== existing?.id) await removeFromDoor(scope, tx, formerLock);
  if (!lock) return;
  if (existing) {
    if (existing.deletedAt !== null) await reviveLock(scope, tx, existing);
    await tx.db.lock.updateMany({ where: { id: existing.id }, data: { bluetoothName: lock.bluetoothName } });
    if (existing.roomId === null) await assignToRoom(scope, tx, existing.id, roomId);
  } else {
    const data = { hotelId: scope.hotelId, ...lock, createdAt: scope.now() };
    const { id } = await tx.db.lock.create({ data, select: { id: true } });
    await assignToRoom(scope, tx, id, roomId);
  }
}

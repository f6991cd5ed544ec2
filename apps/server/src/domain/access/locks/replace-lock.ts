import type { CredentialKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { moveAlert } from "../../messaging/public.ts";
import { lockRooms } from "../../property/public.ts";
import { selectCardsForUpdate } from "../cards/find-card.ts";
import { locksRefusing } from "../cards/refusals.ts";
import { updateRewriteMarks } from "../cards/rewrites.ts";
import { openCode, withVisibleLabel } from "../credentials/credential-content.ts";
import { codeHashes, isCodeUsed } from "../credentials/credentials.ts";
import { writeOffRemovedLock } from "../credentials/pending-revocations.ts";
import { selectStaysWithKeys } from "../credentials/waiting-keys.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import { notifyNameAssigned } from "../lock-links/zigbee-locks.ts";
import { enqueueDisplayText } from "./lock-display-texts.ts";
import {
  checkAddress,
  closeLock,
  type Device,
  insertDevice,
  issueAccess,
  readBack,
  updateDevice,
} from "./registration.service.ts";
import { assignToCommonDoor, assignToRoom, removeFromDoor } from "./room-door.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** A live key on the list of a lock that is to be replaced. Exactly one of the three ids is set. */
interface ListedKey {
  key: string;
  kind: CredentialKind;
  cardId: number | null;
  passcodeId: number | null;
  faceId: number | null;
  label: string;
  /** why it can't work at the new lock; null: it can */
  reason: schema.LeftKey["reason"] | null;
}

/** $2: the lock, $3: how the new lock is reached, $4: the instant. One-time codes that were used, or passed over, are spent, and so are cards that opened once. */
const LISTED_KEYS = `SELECT 'credential:' || t.id AS key, t.kind::text AS kind, t.card_id AS "cardId", t.passcode_id AS "passcodeId", t.face_id AS "faceId",
    coalesce(nullif(c.note, ''), shown_uid(c.uid, c.id_card), p.person, f.note, '') AS label,
    CASE WHEN p.type = 'one_time' THEN 'one_time'
      WHEN c.once THEN 'opens_once'
      WHEN c.id IS NOT NULL AND NOT c.over_the_air AND $3::lock_driver <> 'mqtt' THEN 'no_records'
      WHEN (c.hours <> '[]' OR p.hours <> '[]') AND $3::lock_driver <> 'mqtt' THEN 'no_hours' END AS reason
  FROM credential t JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  WHERE t.hotel_id = $1 AND t.lock_id = $2::int AND t.state NOT IN ('revoking', 'revoked')
    AND (t.valid_to IS NULL OR t.valid_to > $4::timestamptz)
    AND NOT (p.type IS NOT DISTINCT FROM 'one_time' AND (t.state = 'used' OR p.otp_counter < l.otp_floor))
    AND NOT (c.once IS TRUE AND c.used_at IS NOT NULL)
  ORDER BY label, t.id`;

/** Guests' cards with a record for the lock ($2), which no other lock reads. $3: the instant. */
const WRITTEN_CARDS = `SELECT c.id AS "cardId", shown_uid(c.uid, c.id_card) AS label, sg.id AS "stayGuestId",
    coalesce(g.name, '') AS "guestName"
  FROM card c
  LEFT JOIN primary_guest p ON p.hotel_id = $1 AND p.stay_id = c.stay_id
  LEFT JOIN stay_guest sg ON sg.id = coalesce(c.stay_guest_id, p.stay_guest_id)
  LEFT JOIN guest g ON g.id = sg.guest_id
  WHERE c.hotel_id = $1 AND c.kind = 'guest' AND NOT c.over_the_air AND c.lock_number = $2::int AND c.state = 'active'
    AND c.replaced_at IS NULL AND (c.valid_to IS NULL OR c.valid_to > $3::timestamptz)
  ORDER BY c.id`;

/** Locks that are registered and on no door. */
const SPARES = `SELECT id AS "lockId", mac, driver::text AS driver, online FROM lock
  WHERE hotel_id = $1 AND room_id IS NULL AND door_id IS NULL AND deleted_at IS NULL ORDER BY mac`;

type WrittenCard = schema.LockReplacement["rewrite"][number];

/** What becomes of the keys of a lock whose successor is reached by `driver`. */
async function planKeys(
  scope: Scope,
  sql: HotelSql,
  lockId: number,
  driver: Lock["driver"],
): Promise<{ keys: ListedKey[]; written: WrittenCard[] }> {
  const now = scope.now().toISOString();
  const keys = await sql.rows<ListedKey>(LISTED_KEYS, lockId, driver, now);
  const written = await sql.rows<WrittenCard>(WRITTEN_CARDS, lockId, now);
  return { keys, written };
}

/** Labels name people, so each is shown to those who may see keys of its kind. */
function transferOf(
  scope: Scope,
  { keys, written }: { keys: readonly ListedKey[]; written: readonly WrittenCard[] },
  driver: Lock["driver"],
): Omit<schema.LockReplacement, "spares" | "blockedOutAt"> {
  const goingOver = (kind: CredentialKind): number =>
    keys.filter((key) => key.kind === kind && key.reason === null).length;
  const left = keys.flatMap(({ key, kind, label, reason }) => (reason === null ? [] : [{ key, kind, label, reason }]));
  const cards = written.map((card) => withVisibleLabel(scope, { ...card, kind: "card" as const }));
  const readsRecords = driver === "mqtt";
  const unreadable = readsRecords
    ? []
    : cards.map(({ cardId, label }) => ({ key: `card:${cardId}`, kind: "card", label, reason: "no_records" }) as const);
  return {
    passcodes: goingOver("passcode"),
    faces: goingOver("face"),
    cards: goingOver("card"),
    rewrite: readsRecords ? cards.map(({ kind: _kind, ...card }) => card) : [],
    left: [...left.map((key) => withVisibleLabel(scope, key)), ...unreadable],
  };
}

/**
 * Says what would go over from a lock to another that takes its door, and which locks are free for that. @throws
 * no_permission, not_found; state_conflict for a lock on no door
 */
export async function readReplacement(
  scope: Scope,
  { lockId, driver }: Input<typeof schema.replacementInput>,
): Promise<schema.LockReplacement> {
  scope.require("locks.manage");
  const lock = await scope.reads.lock.findFirst({ where: { id: lockId, deletedAt: null } });
  if (!lock) throw new DomainError("not_found");
  requireDoor(lock);
  const transfer = transferOf(scope, await planKeys(scope, scope.sql, lockId, driver), driver);
  const blockedOutAt = lock.blockedOutAt?.toISOString() ?? null;
  return { ...transfer, blockedOutAt, spares: await scope.sql.rows<schema.LockReplacement["spares"][number]>(SPARES) };
}

/**
 * Replaces the lock of a door in one transaction. Everything that it had on its list goes over and is sent to the new lock,
 * which gets an account unless it is connected already; until it confirms, all of it waits for the lock. The former lock
 * leaves the hotel: its commands end, its records stay. A block-out of the door ends with it, because a card set it at the lock, and an alert
 * at the new lock says so. Guests' written cards have to be written again, because their record is for the former lock alone;
 * until then they open their common doors. @throws no_permission; not_found; state_conflict for a lock on no door, or if
 * the door has another block-out than the caller saw; lock_in_use if the new one is on a door of this hotel; address_taken; invalid_input
 * for the same lock, or without an address
 */
export async function replace(
  scope: Scope,
  { lockId, isOffDoor, blockedOutAt: seenBlockOut, ...device }: schema.ReplaceLockInput,
  { brokerUrl }: { brokerUrl: string },
): Promise<schema.LockReplaced> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const { former, registered } = await selectBoth(scope, tx, lockId, device.mac);
    if ((former.blockedOutAt?.toISOString() ?? null) !== seenBlockOut) {
      throw new DomainError("state_conflict", {}, { blockedOutAt: { key: "validation.required" } });
    }
    const spare = registered && registered.deletedAt === null ? registered : null;
    if (!spare && device.driver !== "mqtt" && device.address === "") {
      throw new DomainError("invalid_input", {}, { address: { key: "validation.required" } });
    }
    const { driver } = spare ?? device;
    const plan = await planKeys(scope, tx.sql, lockId, driver);
    await removeFromDoor(scope, tx, former, { keepsGuestCards: true });
    await closeLock(scope, tx, former, { state: "cancelled", error: "replaced" });
    const next = spare ?? (await registerDevice(scope, tx, registered, device));
    await tx.db.lock.update({ where: { id: lockId }, data: { replacedById: next.id } });
    const needsAccess = next.driver === "mqtt" && next.accessHash === null;
    const access = needsAccess ? await issueAccess(scope, tx, next, brokerUrl) : null;
    await assignToDoorOf(scope, tx, former, next.id);
    await moveAlert(tx, "block_out_ended", { from: lockId, to: next.id });
    await readBack(scope, tx, next);
    if (isOffDoor) await writeOffRemovedLock(scope, tx, lockId);
    const keys = await withRefused(scope, tx, next.id, plan.keys);
    const transfer = transferOf(scope, { ...plan, keys }, driver);
    const { mac, roomId, doorId, blockedOutAt } = former;
    tx.audit({
      action: "lock.replace",
      entity: "lock",
      entityId: lockId,
      before: { mac, roomId, doorId, ...(blockedOutAt && { blockedOutAt: blockedOutAt.toISOString() }) },
      after: {
        lockId: next.id,
        mac: next.mac,
        isOffDoor,
        keys: transfer.passcodes + transfer.faces + transfer.cards,
        left: transfer.left.length,
        cardsToRewrite: transfer.rewrite.length,
      },
    });
    return { lockId: next.id, access, ...transfer };
  });
}

function requireDoor({ roomId, doorId }: Pick<Lock, "roomId" | "doorId">): void {
  if (roomId === null && doorId === null) throw new DomainError("state_conflict");
}

/** Locks the rows of the door, the former lock and the lock with the MAC address, if there is one. @throws as `replace` */
async function selectBoth(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  mac: string,
): Promise<{ former: Lock; registered: Lock | null }> {
  const place = await tx.db.lock.findFirst({ where: { id: lockId, deletedAt: null } });
  if (!place) throw new DomainError("not_found");
  requireDoor(place);
  if (place.roomId !== null) {
    await selectStaysWithKeys(tx, place.roomId);
    await lockRooms(scope, tx, [place.roomId]);
  }
  if (place.doorId !== null) {
    await tx.sql.rows("SELECT id FROM door WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", place.doorId);
  }
  const listed = await tx.db.credential.findMany({
    where: { lockId, cardId: { not: null }, state: { notIn: ["revoking", "revoked"] } },
    select: { cardId: true },
  });
  await selectCardsForUpdate(
    tx,
    listed.flatMap(({ cardId }) => cardId ?? []),
  );
  const other = await tx.db.lock.findFirst({ where: { mac }, select: { id: true } });
  if (other?.id === lockId) throw new DomainError("invalid_input", {}, { mac: { key: "validation.sameLock" } });
  for (const id of [lockId, ...(other ? [other.id] : [])].sort((a, b) => a - b)) {
    await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", id);
  }
  const former = await selectLockForUpdate(tx, lockId);
  if (!former) throw new DomainError("not_found");
  if (former.roomId !== place.roomId || former.doorId !== place.doorId) throw new DomainError("state_conflict");
  const registered = await tx.db.lock.findFirst({
    where: { mac },
    include: { room: { select: { name: true } }, door: { select: { name: true } } },
  });
  const takenDoor = registered?.room ?? registered?.door;
  if (takenDoor) {
    const params = { name: mac, roomName: takenDoor.name };
    throw new DomainError("lock_in_use", params, { mac: { key: "validation.lockOnDoor", params } });
  }
  return { former, registered };
}

/** Registers a device that is new, or that was removed from the hotel before. @throws address_taken */
async function registerDevice(scope: Scope, tx: Transaction, registered: Lock | null, device: Device): Promise<Lock> {
  await checkAddress(tx, device, registered?.id);
  const lock = registered ? await updateDevice(scope, tx, registered, device) : await insertDevice(scope, tx, device);
  if (device.driver === "zigbee2mqtt") await notifyNameAssigned(tx, device.address);
  tx.audit({ action: "lock.create", entity: "lock", entityId: lock.id, after: device });
  return lock;
}

async function assignToDoorOf(
  scope: Scope,
  tx: Transaction,
  { roomId, doorId }: Pick<Lock, "roomId" | "doorId">,
  lockId: number,
): Promise<void> {
  if (doorId !== null) await assignToCommonDoor(scope, tx, lockId, doorId);
  if (roomId === null) return;
  await assignToRoom(scope, tx, lockId, roomId);
  await updateRewriteMarks(scope, tx, [roomId]);
  const room = await tx.db.room.findFirstOrThrow({ where: { id: roomId }, select: { bulletin: true, lock: true } });
  if (room.bulletin !== "" && room.lock?.driver === "mqtt") {
    await enqueueDisplayText(scope, tx, [lockId], room.bulletin);
  }
}

/** Marks the keys that should have gone over but that the new lock didn't get. */
async function withRefused(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  keys: readonly ListedKey[],
): Promise<ListedKey[]> {
  const granted = await tx.db.credential.findMany({
    where: { lockId, state: { notIn: ["revoking", "revoked"] } },
    select: { cardId: true, passcodeId: true, faceId: true },
  });
  const isGranted = (key: ListedKey): boolean =>
    granted.some(
      ({ cardId, passcodeId, faceId }) =>
        cardId === key.cardId && passcodeId === key.passcodeId && faceId === key.faceId,
    );
  const marked: ListedKey[] = [];
  for (const key of keys) {
    const isLeft = key.reason === null && !isGranted(key);
    marked.push(isLeft ? { ...key, reason: await refusalOf(scope, tx, lockId, key) } : key);
  }
  return marked;
}

/** Returns why a lock didn't get a key that could work there. */
async function refusalOf(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  { cardId, passcodeId }: ListedKey,
): Promise<"refused" | "code_taken" | "not_granted"> {
  if (cardId !== null) {
    const { uid } = await tx.db.card.findFirstOrThrow({ where: { id: cardId }, select: { uid: true } });
    return (await locksRefusing(scope, tx, uid, [lockId])).length > 0 ? "refused" : "not_granted";
  }
  if (passcodeId === null) return "not_granted";
  const passcode = await tx.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
  const hashes = codeHashes(scope, openCode(scope, passcode));
  return (await isCodeUsed(tx, lockId, hashes, passcode, passcodeId)) ? "code_taken" : "not_granted";
}

import { recordPeriod } from "@innkey/shared/cards/record";
import type { RevokeReason } from "@innkey/shared/enums";
import type { Card, Credential, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { StayState } from "../../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { openByNumber } from "../cards/air-cards.service.ts";
import { blockRevokedCards, locksRefusing } from "../cards/refusals.ts";
import { revokeCards } from "../cards/revoke-cards.ts";
import { updateRewriteMarks, updateRewriteMarksOfStays } from "../cards/rewrites.ts";
import { limitShowings } from "../cards/showings.ts";
import { selectLockForUpdate, withdrawal } from "../lock-commands/commands.ts";
import { isHolderSql } from "../passcodes/made-for.ts";
import { fitKeysToZones } from "../zones/stay-zones.ts";
import { credentialContent, isOneTime } from "./credential-content.ts";
import {
  type CredentialSubject,
  grantCredential,
  isCodeUsed,
  type LockOfRoom,
  revokeCredentials,
  sendCredential,
  windowAtLock,
} from "./credentials.ts";
import { type AccessWindow, accessWindow } from "./key-period.ts";
import { settleCards } from "./min-sequences.ts";
import { changeWaitingPeriods, selectWaitingKeys } from "./waiting-keys.ts";

/**
 * A stay whose keys are adjusted, in the transaction that changes the stay; commands to locks are sent after the commit
 * (source: domain rules, Stays and Credentials).
 */
interface StayInRoom {
  id: number;
  state: StayState;
  roomId: number;
  startsAt: string;
  endsAt: string;
}

const LIVE = { notIn: ["revoking" as const, "revoked" as const] };
/** Selects live credentials, and those revoked only because their period was over: a renewal makes them work again. */
const RENEWABLE = {
  OR: [
    { state: LIVE },
    {
      revokeReason: "period_over",
      OR: [
        { passcode: { deletedAt: null } },
        { face: { deletedAt: null } },
        { card: { state: { in: ["pending" as const, "active" as const] } } },
      ],
    },
  ],
} satisfies Prisma.CredentialWhereInput;

/**
 * Whether a party's arrival in room $3 changes any key: one of another party there, one of its own ($2) that doesn't work
 * yet at $4, or its own for other rooms, in which somebody else may be. Keys that wait for the next lock of a door count.
 */
const ARRIVAL_CHANGES_KEYS = `SELECT EXISTS (SELECT FROM credential t
   WHERE t.hotel_id = $1 AND t.room_id = $3::int AND t.stay_id IS NOT NULL AND t.stay_id <> $2::int
     AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason IN ('period_over', 'lock_moved')))
   OR EXISTS (SELECT FROM credential t WHERE t.hotel_id = $1 AND t.stay_id = $2::int AND CASE
     WHEN t.room_id = $3::int THEN t.state NOT IN ('revoking', 'revoked') AND t.valid_from > $4::timestamptz
     ELSE t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason = 'lock_moved' END)
   OR EXISTS (SELECT FROM card_room cr JOIN card c ON c.id = cr.card_id
     WHERE cr.hotel_id = $1 AND cr.room_id = $3::int AND (c.kind = 'one_shot' OR c.spare_number IS NOT NULL AND c.used_at IS NOT NULL)
       AND c.state IN ('pending', 'active')) AS changes`;

/** Whether the stay $2 has any card, door code or face, and whether somebody opened its room $3 with a spare card. */
const KEYS_TO_END = `SELECT EXISTS (SELECT FROM credential WHERE hotel_id = $1 AND stay_id = $2::int)
   OR EXISTS (SELECT FROM card WHERE hotel_id = $1 AND stay_id = $2::int) AS keys,
   EXISTS (SELECT FROM card_room cr JOIN card c ON c.id = cr.card_id WHERE cr.hotel_id = $1 AND cr.room_id = $3::int
     AND c.spare_number IS NOT NULL AND c.used_at IS NOT NULL AND c.state IN ('pending', 'active')) AS spares`;

/** Whether the stay $2 has any card, door code or face. */
const HAS_KEYS = `SELECT EXISTS (SELECT FROM credential WHERE hotel_id = $1 AND stay_id = $2::int)
   OR EXISTS (SELECT FROM card WHERE hotel_id = $1 AND stay_id = $2::int) AS keys`;

/**
 * Ends the keys of other parties for a room that a party has until `endsAt`: those of earlier occupants, whatever the
 * status of their stay, and those of expected parties that have another room and would open this one meanwhile. Parties
 * that are to have the room next keep theirs, which begin later.
 */
export async function endKeysOfOthers(
  scope: Scope,
  tx: Transaction,
  { stayId, roomId, endsAt }: { stayId: number; roomId: number; endsAt: Date },
): Promise<void> {
  const elsewhere = { state: "reserved" as const, occupancies: { none: { roomId, state: "held" as const } } };
  const ended = await revokeCredentials(
    scope,
    tx,
    {
      ...{ roomId, stayId: { not: stayId } },
      OR: [{ stay: { state: { not: "reserved" } } }, { stay: elsewhere, validFrom: { lt: endsAt } }],
    },
    "new_guest",
  );
  await fitKeysToZones(
    scope,
    tx,
    ended.flatMap((credential) => credential.stayId ?? []),
  );
}

/** Rooms other than $3 that keys of the stay $2 open or are to open and that somebody else moved into after they were issued. */
const ROOMS_OF_OTHERS = `SELECT DISTINCT t.room_id AS "roomId" FROM credential t
  JOIN occupancy o ON o.hotel_id = $1 AND o.room_id = t.room_id AND o.state = 'in_house' AND o.stay_id <> $2::int
 WHERE t.hotel_id = $1 AND t.stay_id = $2::int AND t.room_id <> $3::int AND t.created_at <= o.starts_at
   AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason = 'lock_moved')`;

/**
 * Starts a party's access to a room. Keys of others for it end, and so do its own for further rooms that others have moved into
 * meanwhile. Cards that show the room end. If the party arrives earlier than planned, its keys for the whole stay work from
 * now.
 */
export async function beginAccess(scope: Scope, tx: Transaction, stayId: number, roomId: number): Promise<void> {
  const [arrival] = await tx.sql.prepared<{ changes: boolean }>(
    "arrival-keys",
    ARRIVAL_CHANGES_KEYS,
    stayId,
    roomId,
    scope.now(),
  );
  if (!arrival?.changes) return;
  await endShowings(scope, tx, roomId);
  const { startsAt, endsAt } = await tx.db.stay.findFirstOrThrow({
    where: { id: stayId },
    select: { startsAt: true, endsAt: true },
  });
  await endUsedSpares(scope, tx, roomId, { before: startsAt, reason: "new_guest" });
  await endKeysOfOthers(scope, tx, { stayId, roomId, endsAt });
  const taken = await tx.sql.rows<{ roomId: number }>(ROOMS_OF_OTHERS, stayId, roomId);
  const takenIds = taken.map((room) => room.roomId);
  if (takenIds.length > 0) await revokeCredentials(scope, tx, { stayId, roomId: { in: takenIds } }, "new_guest");
  const now = scope.now();
  // A key for a later part of the stay begins when it is to.
  const period = accessWindow(scope.hotel, { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() });
  const notYetValid = await tx.db.credential.findMany({
    where: { stayId, state: LIVE, validFrom: { gt: now, lte: period.validFrom } },
    orderBy: { lockId: "asc" },
  });
  for (const credential of notYetValid)
    await changePeriod(scope, tx, credential, { validFrom: now, validTo: credential.validTo });
}

/** Ends the cards that show a room, because somebody is in it. */
async function endShowings(scope: Scope, tx: Transaction, roomId: number): Promise<void> {
  await revokeCards(scope, tx, { kind: "one_shot", rooms: { some: { roomId } } }, "new_guest");
}

/**
 * Ends the spare cards with which somebody opened a room, because that party has left. Those that opened it after `before` stay: the
 * party may have arrived while the console was away.
 */
async function endUsedSpares(
  scope: Scope,
  tx: Transaction,
  roomId: number,
  { before, reason }: { before: Date; reason: RevokeReason },
): Promise<void> {
  const used = { spareNumber: { not: null }, usedAt: { lte: before }, rooms: { some: { roomId } } };
  const ended = await revokeCards(scope, tx, used, reason);
  if (ended.length === 0) return;
  await blockRevokedCards(scope, tx, { id: { in: ended.map(({ id }) => id) } });
  await settleCards(scope, tx);
}

const WITHDRAW_OPENINGS = `UPDATE lock_command k SET ${withdrawal("$3")}
  FROM lock l WHERE k.hotel_id = $1 AND l.room_id = $2::int AND k.lock_id = l.id AND k.type = 'unlock'
    AND k.opening_reason = 'guest_page' AND k.state IN ('queued', 'sent') RETURNING k.id`;

/** Withdraws openings of the room's door that a party in it asked for on its page and that are under way. */
async function withdrawOpenings(
  scope: Scope,
  tx: Transaction,
  { state, roomId }: Pick<StayInRoom, "state" | "roomId">,
): Promise<void> {
  if (state !== "checked_in") return;
  await tx.sql.prepared("withdraw-openings", WITHDRAW_OPENINGS, roomId, scope.now());
}

/**
 * Withdraws openings that parties in their rooms asked for on their pages and that are under way, because a link to one of
 * these pages ended. The link has been ended before, in the same transaction.
 */
export async function withdrawOpeningsOf(scope: Scope, tx: Transaction, stayIds: readonly number[]): Promise<void> {
  if (stayIds.length === 0) return;
  // Commands don't say by which link they were asked for; others of the party press the button again.
  const stays = await tx.sql.rows<Pick<StayInRoom, "state" | "roomId">>(
    `SELECT state::text AS state, room_id AS "roomId" FROM stay_now WHERE hotel_id = $1 AND id = ANY ($2::int[]) ORDER BY id`,
    [...stayIds],
  );
  for (const stay of stays) await withdrawOpenings(scope, tx, stay);
}

/** $2: a guest of a stay. A face that another guest of the party has too stays theirs. */
const KEYS_OF_GUEST = `SELECT
    ARRAY(SELECT p.id FROM passcode p WHERE p.hotel_id = $1 AND p.stay_id = sg.stay_id AND p.deleted_at IS NULL
      AND ${isHolderSql("p", "sg", "g")}
      ORDER BY p.id) AS "passcodeIds",
    ARRAY(SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.guest_id = sg.guest_id
      AND NOT EXISTS (SELECT FROM stay_guest o WHERE o.stay_id = sg.stay_id AND o.id <> sg.id AND o.guest_id = sg.guest_id)
      ORDER BY f.id) AS "faceIds"
  FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id WHERE sg.hotel_id = $1 AND sg.id = $2::int`;

/**
 * Ends what one guest of a party opens its doors with: their cards, their door codes, their face in this
 * stay, and openings of the door that are under way. The caller has locked the stay. Returns the number of keys that ended.
 */
export async function endGuestAccess(
  scope: Scope,
  tx: Transaction,
  stay: Pick<StayInRoom, "id" | "roomId" | "state">,
  stayGuestId: number,
): Promise<number> {
  // Commands don't say which guest of the party asked; the others press the button again.
  await withdrawOpenings(scope, tx, stay);
  const [keys] = await tx.sql.rows<{ passcodeIds: number[]; faceIds: number[] }>(KEYS_OF_GUEST, stayGuestId);
  const { passcodeIds, faceIds } = keys ?? { passcodeIds: [], faceIds: [] };
  const cards = await revokeCards(scope, tx, { stayId: stay.id, stayGuestId }, "by_hand");
  const subjects = [{ passcodeId: { in: passcodeIds } }, { faceId: { in: faceIds } }];
  const ended = await revokeCredentials(scope, tx, { stayId: stay.id, OR: subjects }, "by_hand");
  await tx.db.passcode.updateMany({ where: { id: { in: passcodeIds } }, data: { deletedAt: scope.now() } });
  if (cards.length > 0) {
    await blockRevokedCards(scope, tx, { stayGuestId });
    await settleCards(scope, tx);
    await updateRewriteMarks(scope, tx, [stay.roomId]);
  }
  return cards.length + passcodeIds.length + new Set(ended.flatMap(({ faceId }) => faceId ?? [])).size;
}

/** Ends a party's access: revokes its cards, door codes and faces at every door and informs the locks. */
export async function endAccess(scope: Scope, tx: Transaction, stay: StayInRoom, reason: RevokeReason): Promise<void> {
  await withdrawOpenings(scope, tx, stay);
  const [stored] = await tx.sql.prepared<{ keys: boolean; spares: boolean }>(
    "keys-to-end",
    KEYS_TO_END,
    stay.id,
    stay.roomId,
  );
  if (stored?.spares && stay.state === "checked_in")
    await endUsedSpares(scope, tx, stay.roomId, { before: scope.now(), reason });
  if (!stored?.keys) return;
  await revokeCards(scope, tx, { stayId: stay.id }, reason);
  await revokeCredentials(scope, tx, { stayId: stay.id }, reason);
  await blockRevokedCards(scope, tx, { stayId: stay.id });
  await settleCards(scope, tx);
  await updateRewriteMarks(scope, tx, [stay.roomId]);
}

/**
 * Revokes the keys that a party got since its check-in at `since`, which is undone: its cards, door codes and faces at
 * every door. Keys from before stay, and open from the planned arrival on again if they had been opened up for an early
 * one. The stay is reserved by now. Returns how many keys were revoked.
 */
export async function revokeAccessSince(
  scope: Scope,
  tx: Transaction,
  stay: StayInRoom,
  since: string,
): Promise<{ revoked: number }> {
  const [stored] = await tx.sql.prepared<{ keys: boolean }>("has-keys", HAS_KEYS, stay.id);
  if (!stored?.keys) return { revoked: 0 };
  const issued = { stayId: stay.id, createdAt: { gte: new Date(since) } };
  const cards = await revokeCards(scope, tx, issued, "check_in_undone");
  const codes = await tx.db.passcode.findMany({ where: { ...issued, deletedAt: null }, select: { id: true } });
  const passcodeIds = codes.map(({ id }) => id);
  await tx.db.passcode.updateMany({ where: { id: { in: passcodeIds } }, data: { deletedAt: scope.now() } });
  await revokeCredentials(scope, tx, { passcodeId: { in: passcodeIds } }, "check_in_undone");
  const faces = await revokeCredentials(scope, tx, { ...issued, faceId: { not: null } }, "check_in_undone");
  const { validFrom } = accessWindow(scope.hotel, stay);
  const early = await tx.db.credential.findMany({
    where: { stayId: stay.id, state: LIVE, validFrom: { gte: new Date(since), lt: validFrom } },
    orderBy: { lockId: "asc" },
  });
  for (const credential of early) await changePeriod(scope, tx, credential, { validFrom, validTo: credential.validTo });
  await blockRevokedCards(scope, tx, { stayId: stay.id });
  await settleCards(scope, tx);
  await fitKeysToZones(scope, tx, [stay.id]);
  await updateRewriteMarks(scope, tx, [stay.roomId]);
  const faceIds = new Set(faces.map(({ faceId }) => faceId));
  return { revoked: cards.length + passcodeIds.length + faceIds.size };
}

/** Marks keys as over that were over before the check-out at $3, or have become so since. $4: now. */
const LEAVE_OVER = `UPDATE credential SET revoke_reason = 'period_over'
  WHERE hotel_id = $1 AND stay_id = $2::int AND revoke_reason = 'checked_out' AND valid_to <= $4::timestamptz
    AND (revoked_at >= $3::timestamptz OR valid_to <= revoked_at) RETURNING id`;

/**
 * Gives a party its keys back whose check-out at `since` is undone: its codes, faces and cards by number open the same
 * doors in the same time as before. Written cards can't be changed remotely, so they are marked to be written again.
 * Keys whose time is over work again after a renewal. Keys of others for the room end. Returns how many can't come back: a
 * code or card that somebody else has now, one whose door has another lock or whose room somebody else is in, and one-time
 * codes.
 */
export async function restoreAccess(
  scope: Scope,
  tx: Transaction,
  stay: StayInRoom,
  since: string,
): Promise<{ lost: number }> {
  await endShowings(scope, tx, stay.roomId);
  await endKeysOfOthers(scope, tx, { stayId: stay.id, roomId: stay.roomId, endsAt: new Date(stay.endsAt) });
  await tx.sql.rows(LEAVE_OVER, stay.id, since, scope.now());
  const revoked = { revokeReason: "checked_out" as const, revokedAt: { gte: new Date(since) } };
  const cards = await tx.db.card.findMany({
    where: { stayId: stay.id, overTheAir: true, ...revoked, uid: { not: "" } },
    orderBy: { id: "asc" },
    include: { rooms: true },
  });
  let lost = 0;
  for (const card of cards) if (!(await restoreCard(scope, tx, card))) lost += 1;
  const others = await tx.db.credential.findMany({
    where: { stayId: stay.id, cardId: null, roomId: { not: null }, ...revoked },
    orderBy: [{ lockId: "asc" }, { id: "asc" }],
  });
  for (const credential of others) if (!(await restoreCredential(scope, tx, credential))) lost += 1;
  // At common doors, keys follow the stay's zones as they are now.
  await fitKeysToZones(scope, tx, [stay.id]);
  await updateRewriteMarks(scope, tx, [stay.roomId]);
  return { lost };
}

/** Returns whether the card opens its doors again, by its number. */
async function restoreCard(
  scope: Scope,
  tx: Transaction,
  { rooms, ...card }: Card & { rooms: readonly { roomId: number }[] },
): Promise<boolean> {
  const doors = await tx.db.lock.findMany({
    where: { deletedAt: null, roomId: { in: rooms.map(({ roomId }) => roomId) } },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
  const taken = await tx.db.occupancy.findMany({
    where: { state: "in_house", stayId: { not: card.stayId }, roomId: { in: rooms.map(({ roomId }) => roomId) } },
    select: { roomId: true },
  });
  const locks = doors.flatMap(({ id, roomId }) =>
    roomId === null || taken.some((room) => room.roomId === roomId) ? [] : [{ id, roomId }],
  );
  const live = { uid: card.uid, state: { in: ["pending" as const, "active" as const] } };
  if (locks.length === 0 || (await tx.db.card.findFirst({ where: live, select: { id: true } }))) return false;
  const lockIds = locks.map(({ id }) => id);
  if ((await locksRefusing(scope, tx, card.uid, lockIds)).length > 0) return false;
  const data = { state: "active" as const, revokedAt: null, revokeReason: null };
  const restored = await tx.db.card.update({ where: { id: card.id }, data });
  if (card.validTo === null || card.validTo > scope.now()) await openByNumber(scope, tx, restored, locks);
  return true;
}

/** Returns whether the code or face opens its door again. */
async function restoreCredential(scope: Scope, tx: Transaction, credential: Credential): Promise<boolean> {
  const { lockId, roomId, passcodeId, faceId, kind, stayId, codeHash, validFrom, validTo, note } = credential;
  if (passcodeId !== null && (await isOneTime(tx, passcodeId))) return false;
  await selectLockForUpdate(tx, lockId);
  const lock = roomId !== null && (await tx.db.lock.findFirst({ where: { id: lockId, roomId, deletedAt: null } }));
  const exists =
    passcodeId === null
      ? await tx.db.face.findFirst({ where: { id: faceId ?? 0, deletedAt: null }, select: { id: true } })
      : await tx.db.passcode.findFirst({ where: { id: passcodeId, deletedAt: null }, select: { id: true } });
  if (!lock || !exists) return false;
  const takenBy = { roomId, state: "in_house" as const, stayId: { not: stayId } };
  if (await tx.db.occupancy.findFirst({ where: takenBy, select: { id: true } })) return false;
  const hash = codeHash && Buffer.from(codeHash);
  const window = { validFrom, validTo };
  if (hash && (await isCodeUsed(tx, lockId, [hash], window, passcodeId ?? 0))) return false;
  const subject: CredentialSubject = {
    kind,
    stayId,
    content: await credentialContent(scope, tx, credential),
    ...(passcodeId !== null && { passcodeId }),
    ...(faceId !== null && { faceId }),
    ...(hash && { codeHash: hash }),
  };
  const id = await grantCredential(scope, tx, { id: lockId, roomId }, subject, window);
  if (note) await tx.db.credential.update({ where: { id }, data: { note } });
  return true;
}

/**
 * Adjusts keys after the stay's period changed: door codes, faces and over-the-air cards follow it, while written cards
 * must be rewritten. Keys that began early, because the party arrived early, keep their start.
 */
export async function adjustAccess(
  scope: Scope,
  tx: Transaction,
  stay: Pick<StayInRoom, "id" | "startsAt" | "endsAt">,
): Promise<void> {
  const { validFrom, validTo } = accessWindow(scope.hotel, stay);
  const credentials = await tx.db.credential.findMany({
    where: { AND: [{ stayId: stay.id, validTo: { not: null } }, RENEWABLE] },
    orderBy: { lockId: "asc" },
  });
  for (const credential of credentials) {
    const from = credential.validFrom < validFrom ? credential.validFrom : validFrom;
    await changePeriod(scope, tx, credential, { validFrom: from, validTo });
  }
  await changeWaitingPeriods(tx, stay.id, () => ({ validFrom, validTo }));
  const cards = { stayId: stay.id, overTheAir: true, state: { in: ["pending" as const, "active" as const] } };
  await tx.db.card.updateMany({ where: cards, data: { validTo } });
  await limitShowings(scope, tx, { stayId: stay.id });
  // A key that ended may live again at a door that the stay has lost since, and is missing at one that it has gained.
  await fitKeysToZones(scope, tx, [stay.id]);
  await updateRewriteMarksOfStays(scope, tx, [stay.id]);
}

/**
 * Adjusts keys after the dates of a reservation changed. Door codes, faces and over-the-air cards open in the new
 * period only, even if it begins later, at the stay's room and at every additional door. Written cards can't be changed
 * remotely, so those with other times are revoked.
 */
export async function reschedule(
  scope: Scope,
  tx: Transaction,
  stay: Pick<StayInRoom, "id" | "startsAt" | "endsAt">,
): Promise<void> {
  const { validFrom, validTo } = accessWindow(scope.hotel, stay);
  const live = await tx.db.credential.findMany({
    where: { stayId: stay.id, state: LIVE },
    orderBy: { lockId: "asc" },
  });
  for (const credential of live) {
    const window = { validFrom, validTo: credential.validTo && validTo };
    const isUnchanged =
      credential.validFrom.getTime() === validFrom.getTime() &&
      credential.validTo?.getTime() === window.validTo?.getTime();
    if (!isUnchanged) await changePeriod(scope, tx, credential, window);
  }
  await changeWaitingPeriods(tx, stay.id, () => ({ validFrom, validTo }));
  await limitShowings(scope, tx, { stayId: stay.id });
  const record = recordPeriod(validFrom.toISOString(), validTo.toISOString());
  const outside = { OR: [{ validFrom: { lt: record.validFrom } }, { validTo: { gt: record.validTo ?? validTo } }] };
  const revoked = await revokeCards(
    scope,
    tx,
    { AND: [{ stayId: stay.id, overTheAir: false }, outside] },
    "superseded",
  );
  if (revoked.length === 0) return;
  await blockRevokedCards(scope, tx, { stayId: stay.id });
  await settleCards(scope, tx);
}

/**
 * Moves the beginning and the end of keys with the hotel's access buffers, as far as they are those of the whole stay.
 * A key for a part of the stay keeps its own, and stays over if it is. What already opens for a party in the hotel doesn't
 * begin later.
 */
async function adjustToBuffers(
  scope: Scope,
  tx: Transaction,
  stay: Pick<StayInRoom, "id" | "state" | "startsAt" | "endsAt">,
  buffers: Parameters<typeof accessWindow>[0],
): Promise<void> {
  const next = accessWindow(buffers, stay);
  const [startsAt, endsAt] = [new Date(stay.startsAt), new Date(stay.endsAt)];
  const mayBeginLater = stay.state === "reserved";
  const periodOf = (key: { validFrom: Date; validTo: Date }): { validFrom: Date; validTo: Date } => {
    const start = key.validFrom <= startsAt ? next.validFrom : key.validFrom;
    return {
      validFrom: mayBeginLater || start < key.validFrom ? start : key.validFrom,
      validTo: key.validTo >= endsAt ? next.validTo : key.validTo,
    };
  };
  const isChanged = (key: { validFrom: Date; validTo: Date }, window: { validFrom: Date; validTo: Date }): boolean =>
    key.validFrom.getTime() !== window.validFrom.getTime() || key.validTo.getTime() !== window.validTo.getTime();
  const credentials = await tx.db.credential.findMany({
    where: { AND: [{ stayId: stay.id, validTo: { not: null } }, RENEWABLE] },
    orderBy: { lockId: "asc" },
  });
  for (const credential of credentials) {
    const { validFrom, validTo } = credential;
    if (validTo === null) continue;
    const window = periodOf({ validFrom, validTo });
    if (isChanged({ validFrom, validTo }, window)) await changePeriod(scope, tx, credential, window);
  }
  await changeWaitingPeriods(tx, stay.id, periodOf);
  const cards = await tx.db.card.findMany({
    where: { stayId: stay.id, overTheAir: true, state: { in: ["pending", "active"] }, validTo: { not: null } },
    select: { id: true, validFrom: true, validTo: true },
  });
  for (const { id, validFrom, validTo } of cards) {
    if (validTo !== null)
      await tx.db.card.update({ where: { id }, data: { validTo: periodOf({ validFrom, validTo }).validTo } });
  }
  await limitShowings(scope, tx, { stayId: stay.id });
  await fitKeysToZones(scope, tx, [stay.id]);
  await updateRewriteMarksOfStays(scope, tx, [stay.id]);
}

/** Adjusts the keys of the hotel's stays after its access buffers changed, in the order in which stays are locked. */
export async function adjustHotel(
  scope: Scope,
  tx: Transaction,
  buffers: Parameters<typeof accessWindow>[0],
): Promise<void> {
  const stays = await tx.sql.rows<{ id: number; state: StayState; startsAt: string; endsAt: string }>(
    `SELECT s.id, s.state::text AS state, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt" FROM stay s
      WHERE s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in')
        AND EXISTS (SELECT FROM credential t WHERE t.stay_id = s.id AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason IN ('period_over', 'lock_moved')))
      ORDER BY s.id FOR NO KEY UPDATE OF s`,
  );
  for (const stay of stays) await adjustToBuffers(scope, tx, stay, buffers);
  const withCards = await tx.db.card.findMany({
    where: { overTheAir: false, state: "active", stay: { state: "checked_in" } },
    distinct: ["stayId"],
    select: { stayId: true },
  });
  await updateRewriteMarksOfStays(
    scope,
    tx,
    withCards.map(({ stayId }) => stayId),
  );
}

/**
 * Changes a credential's period and sends it to the lock. A door code keeps its old period if another credential has
 * the same code at that door in the new one, because that must not block the stay. One-time codes have no period.
 */
async function changePeriod(
  scope: Scope,
  tx: Transaction,
  credential: Credential,
  window: AccessWindow,
): Promise<void> {
  const { id, lockId, codeHash, passcodeId, cardId } = credential;
  if (passcodeId !== null && (await isOneTime(tx, passcodeId))) return;
  await selectLockForUpdate(tx, lockId);
  const hash = codeHash && Buffer.from(codeHash);
  if (hash && (await isCodeUsed(tx, lockId, [hash], window, passcodeId ?? 0))) return;
  const current = await tx.db.credential.findFirst({ where: { AND: [{ id }, RENEWABLE] } });
  if (!current) return;
  const isRevoked = current.state === "revoking" || current.state === "revoked";
  const isValidLater = window.validTo === null || window.validTo > scope.now();
  if (isRevoked && (!isValidLater || (await isReplaced(tx, current)))) return;
  const live = { state: "queued" as const, failReason: null, revokedAt: null, revokeReason: null };
  const data = { ...window, ...live, ...(await windowAtLock(tx, current)) };
  const { count } = await tx.db.credential.updateMany({ where: { AND: [{ id }, RENEWABLE] }, data });
  // The credential was revoked since we read it and must not become live again.
  if (count === 0) return;
  await sendCredential(scope, tx, { ...credential, ...window }, await credentialContent(scope, tx, credential));
  if (passcodeId !== null) await tx.db.passcode.update({ where: { id: passcodeId }, data: window });
  if (cardId !== null) await tx.db.card.updateMany({ where: { id: cardId, overTheAir: true }, data: window });
}

/** Checks whether the lock was granted the same card, code or face again after this credential was revoked. */
async function isReplaced(tx: Transaction, { id, lockId, cardId, passcodeId, faceId }: Credential): Promise<boolean> {
  const newer = { lockId, cardId, passcodeId, faceId, id: { not: id }, state: LIVE };
  return (await tx.db.credential.findFirst({ where: newer, select: { id: true } })) !== null;
}

/**
 * Moves a party's access: its keys end at the old door, and those that need no rewriting open the new one. A door code
 * is kept unless another live code there is the same. `startsAt` is the time from which they open it.
 */
export async function moveAccess(
  scope: Scope,
  tx: Transaction,
  stay: StayInRoom,
  to: { roomId: number; startsAt: string },
): Promise<void> {
  const { roomId, startsAt } = to;
  await withdrawOpenings(scope, tx, stay);
  if (stay.state === "checked_in") {
    await endUsedSpares(scope, tx, stay.roomId, { before: scope.now(), reason: "room_changed" });
    await beginAccess(scope, tx, stay.id, roomId);
  }
  const live = await tx.db.credential.findMany({
    where: { stayId: stay.id, roomId: stay.roomId, state: LIVE },
  });
  // At a door without a lock, the party's keys wait for the next one.
  const waiting = (await selectWaitingKeys(tx, stay.roomId, stay.id)).filter(({ stayId }) => stayId === stay.id);
  await revokeCards(scope, tx, { stayId: stay.id, overTheAir: false }, "room_changed");
  await revokeCredentials(scope, tx, { stayId: stay.id, roomId: stay.roomId }, "room_changed");
  await blockRevokedCards(scope, tx, { stayId: stay.id });
  await settleCards(scope, tx);
  await updateRewriteMarks(scope, tx, [stay.roomId, roomId]);
  const airCards = { card: { stayId: stay.id, overTheAir: true, state: "active" as const }, roomId: stay.roomId };
  await tx.db.cardRoom.updateMany({ where: airCards, data: { roomId } });

  const lock = await tx.db.lock.findFirst({ where: { roomId }, select: { id: true } });
  const window = accessWindow(scope.hotel, { startsAt, endsAt: stay.endsAt });
  if (lock) await grantAtNewDoor(scope, tx, stay, { id: lock.id, roomId }, [...live, ...waiting], window);
  await limitShowings(scope, tx, { stayId: stay.id });
  await fitKeysToZones(scope, tx, [stay.id]);
}

/** Whether the lock refuses the card's number, which it read on an earlier card. */
async function isCardRefused(scope: Scope, tx: Transaction, id: number, lockId: number): Promise<boolean> {
  const { uid } = await tx.db.card.findFirstOrThrow({ where: { id }, select: { uid: true } });
  return (await locksRefusing(scope, tx, uid, [lockId])).length > 0;
}

async function grantAtNewDoor(
  scope: Scope,
  tx: Transaction,
  stay: StayInRoom,
  lock: LockOfRoom,
  moving: readonly Credential[],
  window: AccessWindow,
): Promise<void> {
  const { roomId } = lock;
  for (const credential of moving) {
    const { kind, cardId, passcodeId, faceId, codeHash } = credential;
    const oneTime = passcodeId !== null && (await isOneTime(tx, passcodeId));
    if (oneTime) continue;
    const period = credential.validTo === null ? { ...window, validTo: null } : window;
    const hash = codeHash && Buffer.from(codeHash);
    if (hash && (await isCodeUsed(tx, lock.id, [hash], period, passcodeId ?? 0))) continue;
    if (cardId !== null && (await isCardRefused(scope, tx, cardId, lock.id))) continue;
    const subject: CredentialSubject = {
      kind,
      stayId: stay.id,
      content: await credentialContent(scope, tx, credential),
      ...(cardId !== null && { cardId }),
      ...(passcodeId !== null && { passcodeId }),
      ...(faceId !== null && { faceId }),
      ...(hash && { codeHash: hash }),
    };
    await grantCredential(scope, tx, lock, subject, period);
    if (passcodeId !== null) {
      await tx.db.passcode.updateMany({ where: { id: passcodeId, roomId: stay.roomId }, data: { roomId } });
    }
  }
}

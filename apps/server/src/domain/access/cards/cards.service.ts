import { recordPeriod } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceCards } from "../../messaging/public.ts";
import { type LiveStay, type OfStay, selectStayForUpdate, withStayId } from "../../stays/public.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { accessWindow, partOf } from "../credentials/key-period.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import { configureLocks } from "../locks/configure.ts";
import { locksOfZones } from "../zones/lock-zones.ts";
import { fitKeysToZones, zonesForCard } from "../zones/stay-zones.ts";
import { grantCardToLocks, listLocksOnDoors, locksOfStaffCard } from "./card-doors.ts";
import { profileOfLocks, profilesOfZones, withKeys } from "./card-keys.ts";
import { recordData, toPreparedCard } from "./card-record.ts";
import { issuePeriod, nextSequence, overlapping } from "./card-sequence.ts";
import { liveCardInRoom } from "./cards.queries.ts";
import { type CardDetails, findCard, requireReissuable } from "./find-card.ts";
import { allowRewrittenCard, blockRevokedCards } from "./refusals.ts";
import { revokeCards } from "./revoke-cards.ts";
import { replaceCardsToRewrite, updateRewriteMarksOfStays } from "./rewrites.ts";
import { limitShowings } from "./showings.ts";

/** Data of a guest card to create. */
export interface GuestCard {
  uid: string;
  /** true: overwrites another guest's card */
  overwrite: boolean;
  note: string;
  /** null: the card belongs to no stay */
  stayId: number | null;
  /** the guest of the stay who gets it; null: see `holderOf` */
  holderId: number | null;
  roomId: number;
  roomName: string;
  /** as the card's record encodes it */
  period: { validFrom: string; validTo: string | null };
  /** zones whose records it carries, as far as it has sectors for them */
  zones: number[];
  /** written cards of the room that this one disables; null: none */
  cardsToDisable: Prisma.CardWhereInput | null;
  /** number of the envelope of a spare card */
  spareNumber?: number;
}

/**
 * Creates the row and the record of a guest's card for one room, `pending` until it is read back. The caller must have
 * locked the stay. @throws lock_missing, lock_reads_no_cards, card_in_use, card_of_guest; state_conflict when the room
 * has no sequence left
 */
export async function createGuestCard(
  scope: Scope,
  tx: Transaction,
  guestCard: GuestCard,
): Promise<schema.PreparedCard> {
  const { uid, overwrite, note, stayId, holderId, roomId, roomName, period, cardsToDisable, spareNumber } = guestCard;
  const lock = await tx.db.lock.findFirst({ where: { roomId }, select: { id: true, driver: true } });
  if (!lock) throw new DomainError("lock_missing", { roomName });
  // Locks of other makes may read a card's number but never a record written on it.
  if (lock.driver !== "mqtt") throw new DomainError("lock_reads_no_cards", { roomName });
  await requireReissuable(scope, tx, uid, { stayId, roomId, overwrite });
  const stayGuestId = stayId === null ? null : await holderOf(tx, { stayId, uid, holderId });
  const profile = await profileOfLocks(scope, tx, { id: lock.id });
  const zoneRecords = await profilesOfZones(scope, tx, guestCard.zones, profile);
  const zones = zoneRecords.map(({ zoneId }) => zoneId);
  const startsNewSequence = cardsToDisable !== null || spareNumber !== undefined;
  const sequence = await nextSequence(tx, stayId === null ? period : { stayId }, roomId, {
    lockId: lock.id,
    startsNewSequence,
  });
  await revokeCards(scope, tx, { uid }, "reissued");
  if (cardsToDisable) await revokeCards(scope, tx, { AND: [cardsToDisable, { overTheAir: false }] }, "superseded");
  if (spareNumber === undefined) {
    const overtaken = { spareNumber: { not: null }, lockNumber: lock.id, sequence: { lt: sequence } };
    await revokeCards(scope, tx, overtaken, "superseded");
  }
  const card = await tx.db.card.create({
    data: {
      hotelId: scope.hotelId,
      uid,
      kind: "guest",
      note,
      profileId: profile.id,
      stayId,
      stayGuestId,
      sequence,
      lockNumber: lock.id,
      zones,
      zoneProfiles: zoneRecords.map((record) => record.profile.id),
      ...(spareNumber !== undefined && { spareNumber }),
      ...period,
      issuedById: scope.operatorId,
      createdAt: scope.now(),
      rooms: { create: { roomId } },
    },
  });
  // We send locks their keys again, because an update with newer keys that lacks these may be on its way.
  const retired = zoneRecords.filter((record) => record.profile.retiredAt !== null);
  const lockIds = await locksOfZones(
    tx,
    retired.map(({ zoneId }) => zoneId),
  );
  if (profile.retiredAt !== null) lockIds.push(lock.id);
  if (lockIds.length > 0) await configureLocks(scope, tx, [...new Set(lockIds)]);
  tx.audit({
    action: "card.prepare",
    entity: "card",
    entityId: card.id,
    after: {
      ...{ stayId, stayGuestId, roomId, zones, sequence, disableOldCards: cardsToDisable !== null },
      ...(spareNumber !== undefined && { spareCard: note }),
    },
  });
  await updateRewriteMarksOfStays(scope, tx, [stayId]);
  return toPreparedCard(scope, tx, card, profile);
}

/**
 * Returns the guest of the stay who gets a card: the chosen one, else who carried this card in the stay before, else
 * the only guest; null if that leaves it open. @throws not_found for somebody who isn't of the stay
 */
async function holderOf(
  tx: Transaction,
  { stayId, uid, holderId }: { stayId: number; uid: string; holderId: number | null },
): Promise<number | null> {
  const guests = await tx.db.stayGuest.findMany({ where: { stayId }, select: { id: true } });
  if (holderId !== null) {
    if (!guests.some(({ id }) => id === holderId)) throw new DomainError("not_found");
    return holderId;
  }
  const before = await tx.db.card.findFirst({
    where: { stayId, uid, stayGuestId: { not: null } },
    orderBy: { id: "desc" },
    select: { stayGuestId: true },
  });
  return before?.stayGuestId ?? (guests.length === 1 ? (guests[0]?.id ?? null) : null);
}

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes the record for a guest's card. The card is only active once it was read back. The first card of a stay, or one
 * that disables old cards, raises the room's issue sequence, and the lock then refuses every earlier card; duplicates
 * share the sequence (source: domain rules, Cards). The record uses the newest keys that the lock confirmed. @throws
 * lock_missing for a room without a lock, lock_reads_no_cards for one of another make; card_in_use for a card that the
 * caller may not revoke; card_of_guest for another guest's, unless it is to be overwritten; reader_of_others for a
 * reader that is bound to other people
 */
export async function prepare(
  scope: Scope,
  input: OfStay<Input<typeof schema.prepareCardInput>>,
): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  const { uid, overwrite, note, disableOldCards, holderId } = input;
  const target = await withStayId(scope, input);
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, input.reader);
    const stay = await selectStayForUpdate(scope, tx, target.stayId, "checked_in");
    if (Date.parse(stay.endsAt) <= scope.now().getTime()) throw new DomainError("stay_expired");
    const window = accessWindow(scope.hotel, stay);
    const from = new Date(Math.min(window.validFrom.getTime(), scope.now().getTime()));
    const part = partOf({ validFrom: from, validTo: window.validTo }, input, scope.now());
    const { id: stayId, roomId, roomName } = stay;
    return createGuestCard(scope, tx, {
      ...{ uid, overwrite, note, stayId, holderId, roomId, roomName },
      period: recordPeriod(part.validFrom.toISOString(), part.validTo.toISOString()),
      zones: await zonesForCard(tx, stayId),
      cardsToDisable: disableOldCards ? { stayId } : null,
    });
  });
}

/**
 * Confirms that a card was written. It becomes active only if the data read back equals the prepared data; then its
 * locks are informed. @throws read_back_mismatch; reader_of_others for a reader that is bound to other people
 */
export async function confirm(
  scope: Scope,
  input: Input<typeof schema.confirmCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, input.reader);
    const card = await findCard(scope, tx, input.cardId);
    // A card that opens by its number has nothing written on it to read back.
    if (card.state !== "pending" || card.overTheAir) throw new DomainError("state_conflict", { state: card.state });
    if (recordData(card, withKeys(scope, card.profile)) !== input.readBack) throw new DomainError("read_back_mismatch");
    await tx.db.card.update({
      where: { id: card.id, state: "pending" },
      data: { state: "active", confirmedAt: scope.now() },
    });
    await replaceEarlierIssues(scope, tx, card);
    await replaceCardsToRewrite(scope, tx, card);
    await updateRewriteMarksOfStays(scope, tx, [card.stayId]);
    await updateLocks(scope, tx, card);
    await settleCards(scope, tx);
    await announceCards(scope, tx, "card.issued", [card.id]);
    tx.audit({ action: "card.confirm", entity: "card", entityId: card.id, after: { state: "active" } });
    return { cardId: card.id, state: "active" };
  });
}

/**
 * Only the client claims that a card was overwritten, so that doesn't end the risk at other doors: an earlier issue
 * stays `revoking` until its lock refuses it or its period ends. The exception is an earlier issue with exactly the
 * same record for the same lock, which no lock could tell apart; the new issue replaces it.
 */
async function replaceEarlierIssues(scope: Scope, tx: Transaction, card: CardDetails): Promise<void> {
  const { id, uid, kind, lockNumber, zones, sequence, validFrom, validTo } = card;
  if (kind === "guest" && lockNumber !== null) {
    const record = { overTheAir: false, kind, lockNumber, sequence, validFrom, validTo, zones: { equals: zones } };
    await tx.db.card.updateMany({
      where: { uid, id: { not: id }, state: "revoking", ...record },
      data: { state: "revoked" },
    });
  }
  await blockRevokedCards(scope, tx, { uid });
}

async function updateLocks(scope: Scope, tx: Transaction, card: CardDetails): Promise<void> {
  if (card.kind === "guest") {
    await allowRewrittenCard(scope, tx, card, card.lockNumber ?? 0);
    for (const lockId of await locksOfZones(tx, card.zones)) await allowRewrittenCard(scope, tx, card, lockId);
    if (card.stayId !== null) await fitKeysToZones(scope, tx, [card.stayId]);
    return blockRevokedCards(scope, tx, { lockNumber: card.lockNumber });
  }
  const locks = card.kind === "universal" ? await listLocksOnDoors(tx, card) : await locksOfStaffCard(tx, card.id);
  await grantCardToLocks(scope, tx, card, locks);
}

/**
 * Revokes a card: it stays `revoking` until every lock that it opens is known to refuse it. Its duplicates, and other
 * staff cards and master key cards, keep working.
 */
export async function revoke(
  scope: Scope,
  { cardId, reason }: Input<typeof schema.revokeCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, cardId);
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    await revokeCards(scope, tx, { id: card.id }, reason);
    await updateRewriteMarksOfStays(scope, tx, [card.stayId]);
    await blockRevokedCards(scope, tx, { id: card.id });
    await settleCards(scope, tx);
    const { state } = await tx.db.card.findFirstOrThrow({ where: { id: card.id }, select: { state: true } });
    const before = { state: card.state };
    const action = reason === "lost" ? "card.lost" : "card.revoke";
    tx.audit({ action, entity: "card", entityId: card.id, before, after: { state, reason } });
    return { cardId: card.id, state };
  });
}

/** Revokes the live card with that number in that room. @throws as `liveCardInRoom` and `revoke` */
export async function revokeInRoom(
  scope: Scope,
  roomId: number,
  cardNumber: string,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return revoke(scope, { cardId: await liveCardInRoom(scope, roomId, cardNumber), reason: "by_hand" });
}

type RoomCard = z.infer<typeof schema.prepareRoomCardInput>;

/**
 * Makes the record for a guest's card for one room and a period, for callers that name a room instead of a stay: the
 * compatibility layer's `cardEncryption` and the gateway's `writeRoomCard`. If a party is in the room when the period
 * begins, or is due with a stay that covers it, the card belongs to that stay and ends with it at the latest. Otherwise
 * it has no stay and ends with its period. The card is only active once it was read back (`confirm` in
 * cards.service.ts). Written cards of the room for the same period keep working unless they are disabled. A card for a
 * future party must be rewritten if the room's sequence is raised before arrival; lists show that. @throws not_found
 * for a room the caller can't see; lock_missing, lock_reads_no_cards, card_in_use; invalid_input for a period that is
 * over, or for no period while the room is empty; stay_expired
 */
export async function prepareForRoom(scope: Scope, input: RoomCard): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  scope.requireRoom(input.roomId);
  const { uid, overwrite, note, roomId, disableOldCards } = input;
  return scope.write(async (tx) => {
    const room = await tx.db.room.findFirst({ where: { id: roomId, deletedAt: null }, select: { name: true } });
    if (!room) throw new DomainError("not_found");
    const stay = await selectStayForCard(scope, tx, input);
    const period = issuePeriod(scope, stay ? periodInStay(scope, stay, input) : input);
    const lock = await tx.db.lock.findFirst({ where: { roomId }, select: { id: true } });
    const written = { kind: "guest" as const, lockNumber: lock?.id ?? 0 };
    const prepared = await createGuestCard(scope, tx, {
      ...{ uid, overwrite, note, stayId: stay?.id ?? null, holderId: null, roomId, roomName: room.name, period },
      // These callers write one sector only.
      zones: [],
      cardsToDisable: disableOldCards ? { AND: [written, overlapping(period)] } : null,
    });
    if (lock && stay) {
      await selectLockForUpdate(tx, lock.id);
      await limitShowings(scope, tx, { stayId: stay.id });
    }
    return prepared;
  });
}

/**
 * $2 is the room, $3 and $4 the period ($4 null: until the party leaves), $5 and $6 the hotel's minutes before and
 * after, $7 now. A party whose stay covers the period comes first, then the party that is in the room when the card
 * begins, because the card must not outlast that stay.
 */
const STAY_FOR_CARD = `
SELECT s.id FROM occupancy o JOIN stay s ON s.id = o.stay_id
 WHERE o.hotel_id = $1 AND o.room_id = $2::int
   AND (o.state = 'in_house' AND ($4::timestamptz IS NULL OR $3::timestamptz <= greatest(s.ends_at, $7::timestamptz)
       OR s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz)
     OR o.state = 'held' AND $4::timestamptz IS NOT NULL
       AND s.starts_at - make_interval(mins => $5::int) <= $3::timestamptz
       AND s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz)
 ORDER BY ($4::timestamptz IS NULL OR s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz) DESC,
   o.state = 'in_house' DESC, s.starts_at LIMIT 1`;

/** Returns the stay that the card is for, with its row locked; null if there is none. */
async function selectStayForCard(
  scope: Scope,
  tx: Transaction,
  { roomId, validFrom, validTo }: RoomCard,
): Promise<LiveStay | null> {
  const { accessEarlyMinutes, accessLateMinutes } = scope.hotel;
  const now = scope.now().toISOString();
  const [party] = await tx.sql.rows<{ id: number }>(
    STAY_FOR_CARD,
    roomId,
    validFrom ?? now,
    validTo,
    accessEarlyMinutes,
    accessLateMinutes,
    now,
  );
  if (!party && validTo === null)
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.required" } });
  const stay = party ? await selectStayForUpdate(scope, tx, party.id, "reserved", "checked_in") : null;
  if (stay && validTo === null && stay.endsAt <= now) throw new DomainError("stay_expired");
  return stay;
}

/** A card for the whole stay includes the hotel's minutes before and after, like the stay's other keys. */
function periodInStay(
  scope: Scope,
  stay: LiveStay,
  { validFrom, validTo }: Pick<RoomCard, "validFrom" | "validTo">,
): { validFrom: string | null; validTo: string } {
  const window = accessWindow(scope.hotel, stay);
  const coversStay = validTo === null || (validTo >= stay.endsAt && validTo <= window.validTo.toISOString());
  const coversStart = validFrom !== null && validFrom <= stay.startsAt;
  return {
    validFrom: coversStart ? window.validFrom.toISOString() : validFrom,
    validTo: coversStay ? window.validTo.toISOString() : validTo,
  };
}

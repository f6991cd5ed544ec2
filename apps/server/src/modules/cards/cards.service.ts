import { encodeRecord, MAX_SEQUENCE } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card } from "../../infra/database/generated/client.ts";
import { lockStay, readStay } from "../stays/live-stay.ts";
import { encryptRecord, sectorKeyOf } from "./card-cipher.ts";
import { type ProfileWithKeys, profileInUse, withKeys } from "./card-profile.ts";

type Input<S extends z.ZodType> = z.infer<S>;

const BLOCKS_PER_SECTOR = 4;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

/**
 * Makes the record for a guest's card; nothing is active until the card was read back. A first card of a stay, or one that
 * disables old ones, raises the room's issue sequence, and its lock then refuses every card from before; duplicates share
 * it (source: domain rules, Cards). @throws lock_missing for a room without a lock
 */
export async function prepare(
  scope: Scope,
  input: Input<typeof schema.prepareCardInput>,
): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "checked_in");
    if (Date.parse(stay.endsAt) <= scope.now().getTime()) throw new DomainError("stay_expired");
    const lock = await unit.db.lock.findFirst({ where: { roomId: stay.roomId }, select: { id: true } });
    if (!lock) throw new DomainError("lock_missing", { roomName: stay.roomName });
    const profile = await profileInUse(scope, unit);
    const sequence = await nextSequence(unit, stay.id, stay.roomId, input.disableOldCards);
    await takeBack(scope, unit, { uid: input.uid }, "reissued");
    if (input.disableOldCards) await takeBack(scope, unit, { stayId: stay.id }, "superseded");
    const card = await unit.db.card.create({
      data: {
        hotelId: scope.hotelId,
        uid: input.uid,
        kind: "guest",
        note: input.note,
        profileId: profile.id,
        stayId: stay.id,
        sequence,
        validFrom: stay.startsAt < scope.now().toISOString() ? stay.startsAt : scope.now(),
        validTo: stay.endsAt,
        issuedById: scope.actor.id,
        createdAt: scope.now(),
        rooms: { create: { roomId: stay.roomId } },
      },
    });
    unit.journal({
      action: "card.prepare",
      entity: "card",
      entityId: card.id,
      after: { stayId: stay.id, roomId: stay.roomId, sequence, disableOldCards: input.disableOldCards },
    });
    return prepared(card, lock.id, profile);
  });
}

/** The record as it lies on the card: the same for the same row, so that a read-back can be compared. */
function recordData(card: Card, lockNumber: number, profile: ProfileWithKeys): string {
  const record = encodeRecord({
    kind: card.kind,
    siteCode: profile.siteCode,
    lockNumber,
    sequence: card.sequence,
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  });
  return hex(encryptRecord(profile.keys, card.uid, record));
}

function prepared(card: Card, lockNumber: number, profile: ProfileWithKeys): schema.PreparedCard {
  return {
    cardId: card.id,
    uid: card.uid,
    keyType: profile.keyType === "B" ? "B" : "A",
    sectorKey: hex(sectorKeyOf(profile.keys, card.uid)),
    sector: profile.sector,
    dataBlock: profile.sector * BLOCKS_PER_SECTOR + profile.block,
    data: recordData(card, lockNumber, profile),
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  };
}

/** The sequence of a card for a room: shared by the cards of one stay, else one more than any before. */
async function nextSequence(unit: Unit, stayId: number, roomId: number, disableOldCards: boolean): Promise<number> {
  const room = await unit.db.room.findFirstOrThrow({ where: { id: roomId }, select: { cardSequence: true } });
  const shared = await unit.db.card.findFirst({
    where: { stayId, sequence: room.cardSequence, state: { in: ["pending", "active"] }, rooms: { some: { roomId } } },
    select: { id: true },
  });
  if (shared && !disableOldCards) return room.cardSequence;
  if (room.cardSequence >= MAX_SEQUENCE) throw new DomainError("state_conflict", { max: MAX_SEQUENCE });
  const sequence = room.cardSequence + 1;
  await unit.db.room.update({
    where: { id: roomId, cardSequence: room.cardSequence },
    data: { cardSequence: sequence },
  });
  return sequence;
}

/** The card was written: active only if what was read back is what was prepared. @throws read_back_mismatch */
export async function confirm(
  scope: Scope,
  input: Input<typeof schema.confirmCardInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (unit) => {
    const card = await findCard(scope, unit, input.cardId);
    if (card.state !== "pending") throw new DomainError("state_conflict", { state: card.state });
    const lock = await unit.db.lock.findFirst({ where: { roomId: card.rooms[0]?.roomId ?? 0 }, select: { id: true } });
    if (!lock) throw new DomainError("lock_missing");
    if (recordData(card, lock.id, withKeys(scope, card.profile)) !== input.readBack) {
      throw new DomainError("read_back_mismatch");
    }
    await unit.db.card.update({
      where: { id: card.id, state: "pending" },
      data: { state: "active", confirmedAt: scope.now() },
    });
    // What this card carried before is overwritten: no lock can see it any more.
    await unit.db.card.updateMany({ where: { uid: card.uid, state: "revoking" }, data: { state: "revoked" } });
    unit.journal({ action: "card.confirm", entity: "card", entityId: card.id, after: { state: "active" } });
    return { cardId: card.id, state: "active" };
  });
}

/** Takes a card back: at once if it never worked, else it is `revoking` until a lock is known to refuse it. */
export async function revoke(scope: Scope, cardId: number): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (unit) => {
    const card = await findCard(scope, unit, cardId);
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    await takeBack(scope, unit, { id: card.id }, "by_hand");
    unit.journal({ action: "card.revoke", entity: "card", entityId: card.id, before: { state: card.state } });
    return { cardId: card.id, state: card.state === "pending" ? "revoked" : "revoking" };
  });
}

export type RevokeReason = "reissued" | "superseded" | "by_hand" | "checked_out" | "room_changed";

/** The live cards among `which` stop being promised. What was never confirmed is dead at once. */
export async function takeBack(
  scope: Scope,
  unit: Unit,
  which: { id?: number; uid?: string; stayId?: number },
  revokeReason: RevokeReason,
): Promise<void> {
  const data = { revokedAt: scope.now(), revokeReason };
  await unit.db.card.updateMany({ where: { ...which, state: "pending" }, data: { ...data, state: "revoked" } });
  await unit.db.card.updateMany({ where: { ...which, state: "active" }, data: { ...data, state: "revoking" } });
}

/** @throws not_found, also for a card of a stay that the caller doesn't see */
async function findCard(scope: Scope, unit: Unit, cardId: number) {
  const card = await unit.db.card.findFirst({ where: { id: cardId }, include: { rooms: true, profile: true } });
  if (!card || card.stayId === null) throw new DomainError("not_found");
  await readStay(scope, unit.sql, card.stayId);
  return card;
}

import { ALL_DOORS } from "@innkey/shared/cards/record";
import type { CardKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { isSameHours } from "@innkey/shared/locks/week-hours";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { CredentialState } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import {
  type LockOnDoor,
  locksOfCommonDoors,
  locksOfRooms,
  markFormerHours,
  revokeCredentials,
} from "../credentials/credentials.ts";
import { configureAll } from "../locks/configure.ts";
import { refuseLocks, requireLocksWithHours } from "../locks/refuse-locks.ts";
import { grantCardToLocks, locksOfStaffCard } from "./card-doors.ts";
import { profileOfLocks } from "./card-keys.ts";
import { hoursOf, toPreparedCard } from "./card-record.ts";
import { issuePeriod } from "./card-sequence.ts";
import { type CardDetails, findCard, requireReissuable } from "./find-card.ts";
import { revokeCards } from "./revoke-cards.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes the record for a staff card, master key card, emergency or block-out card. All carry the record of all doors, and open only where
 * the lock also has the card in its credential list. The locks (the chosen ones, or all) receive that entry once the
 * card was read back. @throws lock_missing, lock_reads_no_cards naming a chosen room or common door that has no lock, or
 * whose lock reads no records; lock_without_hours naming one that can't receive days and hours
 */
export async function prepareMaster(
  scope: Scope,
  input: Input<typeof schema.prepareMasterInput>,
): Promise<schema.PreparedCard> {
  scope.require("cards.master");
  const period = issuePeriod(scope, input);
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, input.reader);
    const isStaffCard = input.kind === "management";
    const allDoors = !isStaffCard && input.kind !== "universal" && input.allDoors;
    const hasDoors = input.kind !== "universal" && !allDoors;
    const roomIds = hasDoors ? [...new Set(input.roomIds)] : [];
    const doorIds = hasDoors ? [...new Set(input.doorIds)] : [];
    const groupIds = hasDoors ? [...new Set(input.groupIds)] : [];
    const zoneIds = hasDoors ? [...new Set(input.zoneIds)] : [];
    await locksThatReadCards(tx, await locksOf(tx, roomIds, doorIds));
    await requireGroupsAndZones(tx, groupIds, zoneIds);
    await requireReissuable(scope, tx, input.uid, { stayId: null, roomId: null, overwrite: input.overwrite });
    const hours = isStaffCard ? input.hours : [];
    const profile = await profileOfLocks(scope, tx, {});
    await revokeCards(scope, tx, { uid: input.uid }, "reissued");
    const card = await tx.db.card.create({
      data: {
        hotelId: scope.hotelId,
        uid: input.uid,
        kind: input.kind,
        note: input.note,
        profileId: profile.id,
        sequence: 0,
        zones: [ALL_DOORS],
        allDoors,
        hours,
        ...period,
        issuedById: scope.operatorId,
        createdAt: scope.now(),
        rooms: { create: roomIds.map((roomId) => ({ roomId })) },
        doors: { create: doorIds.map((doorId) => ({ doorId })) },
        groups: { create: groupIds.map((groupId) => ({ groupId })) },
        staffZones: { create: zoneIds.map((zoneId) => ({ zoneId })) },
      },
    });
    if (hours.length > 0) await requireLocksWithHours(tx, await locksOfStaffCard(tx, card.id));
    // As for guests' cards, an update with newer keys that lacks these may be on its way to locks.
    if (profile.retiredAt !== null) await configureAll(scope, tx);
    tx.audit({
      action: "card.prepare",
      entity: "card",
      entityId: card.id,
      after: {
        kind: input.kind,
        note: input.note,
        allDoors,
        roomIds,
        doorIds,
        groupIds,
        zoneIds,
        validTo: period.validTo,
        hours,
      },
    });
    return toPreparedCard(scope, tx, card, profile);
  });
}

/** Returns the locks of rooms and common doors, in the order in which their rows must be locked. @throws lock_missing */
async function locksOf(tx: Transaction, roomIds: number[], doorIds: number[]): Promise<LockOnDoor[]> {
  const locks = [...(await locksOfRooms(tx, roomIds)), ...(await locksOfCommonDoors(tx, doorIds))];
  return locks.sort((a, b) => a.id - b.id);
}

/** @throws lock_reads_no_cards for a lock of another make */
async function locksThatReadCards(tx: Transaction, locks: LockOnDoor[]): Promise<void> {
  await refuseLocks(tx, locks, { driver: { not: "mqtt" } }, "lock_reads_no_cards");
}

/**
 * Changes the days and hours of a staff card. Each of its locks opens at the former ones until it has confirmed the new
 * ones. @throws not_found for another kind of card, state_conflict for one that is not live; lock_without_hours naming a
 * door whose lock can't receive them
 */
export async function setHours(
  scope: Scope,
  { cardId, hours }: Input<typeof schema.cardHoursInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.master");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, cardId);
    if (card.kind !== "management") throw new DomainError("not_found");
    const { id, state } = card;
    if (state !== "pending" && state !== "active") throw new DomainError("state_conflict", { state });
    const before = hoursOf(card);
    if (isSameHours(before, hours)) return { cardId: id, state };
    const locks = await locksOfStaffCard(tx, id);
    if (hours.length > 0) await requireLocksWithHours(tx, locks);
    const changed = await tx.db.card.update({ where: { id }, data: { hours } });
    if (state === "active") {
      await grantCardToLocks(scope, tx, changed, locks);
      await markFormerHours(scope, tx, { cardId: id }, { before, hours });
    }
    tx.audit({ action: "card.hours", entity: "card", entityId: id, before: { hours: before }, after: { hours } });
    return { cardId: id, state };
  });
}

/** Cards whose doors somebody chooses, and may change. */
const HAS_CHOSEN_DOORS: ReadonlySet<CardKind> = new Set<CardKind>(["management", "emergency", "block_out"]);

const GONE: CredentialState[] = ["revoking", "revoked"];

/** @throws not_found */
async function requireGroupsAndZones(tx: Transaction, groupIds: number[], zoneIds: number[]): Promise<void> {
  const groups = await tx.db.roomGroup.count({ where: { id: { in: groupIds } } });
  const zones = await tx.db.zone.count({ where: { id: { in: zoneIds }, deletedAt: null } });
  if (groups < groupIds.length || zones < zoneIds.length) throw new DomainError("not_found");
}

/**
 * Changes the rooms, common doors, room groups and zones of a staff, emergency or block-out card. Doors it keeps are unaffected; a removed door opens
 * until its lock has confirmed. @throws state_conflict for a card that is not live; lock_missing naming a chosen room or
 * door without a lock; lock_without_hours naming a door whose lock can't receive the card's hours
 */
export async function setRooms(
  scope: Scope,
  input: Input<typeof schema.cardRoomsInput>,
): Promise<Input<typeof schema.cardOutcome>> {
  scope.require("cards.master");
  return scope.write(async (tx) => {
    const card = await findCard(scope, tx, input.cardId);
    if (!HAS_CHOSEN_DOORS.has(card.kind)) throw new DomainError("not_found");
    if (card.state !== "pending" && card.state !== "active")
      throw new DomainError("state_conflict", { state: card.state });
    const before = { allDoors: card.allDoors, ...doorsOf(card) };
    const doors = {
      roomIds: [...new Set(input.roomIds)],
      doorIds: [...new Set(input.doorIds ?? before.doorIds)],
      groupIds: [...new Set(input.groupIds ?? before.groupIds)],
      zoneIds: [...new Set(input.zoneIds ?? before.zoneIds)],
    };
    const chosen = await locksOf(tx, doors.roomIds, doors.doorIds);
    if (!card.overTheAir) await locksThatReadCards(tx, chosen);
    await requireGroupsAndZones(tx, doors.groupIds, doors.zoneIds);
    await storeDoors(scope, tx, card.id, doors);
    if (card.allDoors) await tx.db.card.update({ where: { id: card.id }, data: { allDoors: false } });
    const locks = await locksOfStaffCard(tx, card.id);
    if (hoursOf(card).length > 0) await requireLocksWithHours(tx, locks);
    if (card.state === "active") await moveToLocks(scope, tx, card, locks);
    tx.audit({ action: "card.rooms", entity: "card", entityId: card.id, before, after: doors });
    return { cardId: card.id, state: card.state };
  });
}

type StaffDoors = Record<"roomIds" | "doorIds" | "groupIds" | "zoneIds", number[]>;

const doorsOf = ({ rooms, doors, groups, staffZones }: CardDetails): StaffDoors => ({
  roomIds: rooms.map(({ roomId }) => roomId),
  doorIds: doors.map(({ doorId }) => doorId),
  groupIds: groups.map(({ groupId }) => groupId),
  zoneIds: staffZones.map(({ zoneId }) => zoneId),
});

async function storeDoors(scope: Scope, tx: Transaction, cardId: number, doors: StaffDoors): Promise<void> {
  const row = { hotelId: scope.hotelId, cardId };
  const { roomIds, doorIds, groupIds, zoneIds } = doors;
  const where = { cardId };
  await tx.db.cardRoom.deleteMany({ where });
  await tx.db.cardDoor.deleteMany({ where });
  await tx.db.cardGroup.deleteMany({ where });
  await tx.db.cardZone.deleteMany({ where });
  await tx.db.cardRoom.createMany({ data: roomIds.map((roomId) => ({ ...row, roomId })) });
  await tx.db.cardDoor.createMany({ data: doorIds.map((doorId) => ({ ...row, doorId })) });
  await tx.db.cardGroup.createMany({ data: groupIds.map((groupId) => ({ ...row, groupId })) });
  await tx.db.cardZone.createMany({ data: zoneIds.map((zoneId) => ({ ...row, zoneId })) });
}

/** Takes the card back at other locks, and grants it to those that don't have it. */
async function moveToLocks(
  scope: Scope,
  tx: Transaction,
  card: CardDetails,
  locks: readonly LockOnDoor[],
): Promise<void> {
  const credentials = await tx.db.credential.findMany({
    where: { cardId: card.id, state: { notIn: GONE } },
    select: { lockId: true },
  });
  const grantedLockIds = new Set(credentials.map(({ lockId }) => lockId));
  const lockIds = locks.map(({ id }) => id);
  await revokeCredentials(scope, tx, { cardId: card.id, lockId: { notIn: lockIds } }, "by_hand");
  await grantCardToLocks(
    scope,
    tx,
    card,
    locks.filter(({ id }) => !grantedLockIds.has(id)),
  );
}

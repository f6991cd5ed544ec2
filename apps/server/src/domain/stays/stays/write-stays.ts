import { HOUR_MS } from "@innkey/shared/durations";
import type { StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import { MAX_STAY_DAYS } from "@innkey/shared/price-rules";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { mayGiveCodes } from "../guests/unconfirmed-contacts.ts";
import type { LiveStay } from "./live-stay.ts";
import type { PricedRoom } from "./pricing.ts";

interface Period {
  startsAt: string;
  endsAt: string;
}

interface NewStay extends Period {
  unit: StayUnit;
  breakfast: boolean;
  otherInformation: string;
  disableOldCards: boolean;
  idCardMatch: boolean;
  customerId: number | null;
}

/** Limit for backdating an arrival, for when the front desk was offline. */
const MAX_BACKDATE_DAYS = 31;

function refuseField(field: string, key: string): never {
  throw new DomainError("invalid_input", {}, { [field]: { key } });
}

/**
 * Checks arrival and departure against the current time: a stay that is over can't begin, and one that begins tomorrow
 * is a reservation.
 */
export function checkArrival(scope: Scope, startsAt: string, endsAt: string, arriving: boolean): void {
  const now = scope.now();
  const { timeZone, dayStartTime } = scope.hotel;
  if (Date.parse(endsAt) <= now.getTime()) refuseField("endsAt", "validation.departurePast");
  const age = now.getTime() - Date.parse(startsAt);
  if (age > (arriving ? MAX_BACKDATE_DAYS : 1) * 24 * HOUR_MS) refuseField("startsAt", "validation.pastArrival");
  const date = (at: string): string => businessDate(at, timeZone, dayStartTime);
  if (arriving && date(startsAt) > date(now.toISOString())) refuseField("startsAt", "validation.futureArrival");
}

/** Checks that a renewal ends later than before, in the future, and within the maximum length of a stay. */
export function checkRenewal(scope: Scope, stay: { startsAt: string; endsAt: string }, endsAt: string): void {
  if (endsAt <= stay.endsAt) refuseField("endsAt", "validation.renewalNotLater");
  if (Date.parse(endsAt) <= scope.now().getTime()) refuseField("endsAt", "validation.departurePast");
  if (Date.parse(endsAt) - Date.parse(stay.startsAt) > MAX_STAY_DAYS * 24 * HOUR_MS)
    refuseField("endsAt", "validation.stayTooLong");
}

/** @throws room_not_ready for a room that is not cleaned, until the caller confirms */
export function checkReady(room: PricedRoom, confirmed: boolean): void {
  if (room.condition === "dirty" && !confirmed) throw new DomainError("room_not_ready", { roomName: room.name });
}

/**
 * Checks the customer of a stay. A caller who may not see customers gets the same error whether or not the customer
 * exists. @throws invalid_input, customer_frozen
 */
export async function checkCustomer(scope: Scope, tx: Transaction, customerId: number | null): Promise<void> {
  if (customerId === null) return;
  if (!scope.can("customers.view")) refuseField("customerId", "validation.unknown");
  // The row stays locked until the stay exists, so that the customer can't be frozen or removed in between.
  const [customer] = await tx.sql.rows<{ frozen: boolean }>(
    `SELECT frozen_at IS NOT NULL AS frozen FROM customer
      WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL FOR SHARE`,
    customerId,
  );
  if (!customer) refuseField("customerId", "validation.unknown");
  if (customer.frozen) throw new DomainError("customer_frozen");
}

const INSERT_STAY = `WITH
  stay AS (
    INSERT INTO stay (hotel_id, state, unit, starts_at, ends_at, checked_in_at, deposit_minor, breakfast, other_information,
      disable_old_cards, id_card_match, customer_id, created_by_id, created_at, booking_unconfirmed)
    VALUES ($1, $2::stay_state, $3::stay_unit, $4::timestamptz, $5::timestamptz, $6::timestamptz, $7::int, $8::boolean, $9,
      $10::boolean, $11::boolean, $12::int, $13::int, $14::timestamptz, $18::boolean)
    RETURNING id
  ),
  occupancy AS (
    INSERT INTO occupancy (hotel_id, room_id, stay_id, state, starts_at, ends_at, created_at)
    SELECT $1, $15::int, stay.id, $16::occupancy_state, $17::timestamptz, $5::timestamptz, $14::timestamptz FROM stay
    RETURNING id
  )
  SELECT stay.id AS "stayId", occupancy.id AS "occupancyId" FROM stay, occupancy`;

/**
 * Inserts a stay and its occupancy of a room: checked in now with `arrival`, otherwise reserved. @throws room_taken
 */
export async function insertStay(
  scope: Scope,
  tx: Transaction,
  roomId: number,
  stay: NewStay,
  arrival: { depositMinor: number } | null,
): Promise<{ stayId: number; occupancyId: number }> {
  const now = scope.now();
  const [inserted] = await tx.sql.prepared<{ stayId: number; occupancyId: number }>(
    "insert-stay",
    INSERT_STAY,
    arrival ? "checked_in" : "reserved",
    stay.unit,
    stay.startsAt,
    stay.endsAt,
    arrival ? now : null,
    arrival?.depositMinor ?? 0,
    stay.breakfast,
    stay.otherInformation,
    stay.disableOldCards,
    stay.idCardMatch,
    stay.customerId,
    scope.operatorId,
    now,
    roomId,
    arrival ? "in_house" : "held",
    arrival ? occupiedFrom(now, stay) : stay.startsAt,
    !mayGiveCodes(scope),
  );
  if (!inserted) throw new Error("an inserted stay returned no row");
  return inserted;
}

/** A party that arrives before its planned time occupies the room from now. */
function occupiedFrom(now: Date, { startsAt }: Pick<Period, "startsAt">): Date {
  return new Date(Math.min(now.getTime(), Date.parse(startsAt)));
}

async function insertOccupancy(
  scope: Scope,
  tx: Transaction,
  data: Pick<Prisma.OccupancyUncheckedCreateInput, "stayId" | "roomId" | "state" | "startsAt" | "endsAt">,
): Promise<number> {
  const { id } = await tx.db.occupancy.create({
    data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
    select: { id: true },
  });
  return id;
}

const CHECK_IN = `WITH
  arrived AS (
    UPDATE occupancy SET state = 'in_house', starts_at = $4::timestamptz WHERE hotel_id = $1 AND id = $3::int RETURNING id
  )
  UPDATE stay SET state = 'checked_in', checked_in_at = $5::timestamptz, deposit_minor = $6::int, checked_in_by_guest = $7::boolean
    FROM arrived WHERE stay.hotel_id = $1 AND stay.id = $2::int AND stay.state = 'reserved' RETURNING stay.id`;

/** Checks in a reservation that the caller has locked. @throws room_taken; state_conflict unless it is reserved */
export async function checkInStay(scope: Scope, tx: Transaction, stay: LiveStay, depositMinor: number): Promise<void> {
  const now = scope.now();
  const startsAt = occupiedFrom(now, stay);
  const rows = await tx.sql.prepared(
    "check-in-stay",
    CHECK_IN,
    stay.id,
    stay.occupancyId,
    startsAt,
    now,
    depositMinor,
    scope.actor.kind === "guest",
  );
  if (rows.length === 0) throw new DomainError("state_conflict");
}

/**
 * Records for the undo of a check-in which folio entries it wrote: those after `afterEntryId` (null: there were none
 * before) up to `lastEntryId`. The caller has locked the stay.
 */
export async function recordCheckIn(
  tx: Transaction,
  stayId: number,
  { afterEntryId, lastEntryId }: { afterEntryId: number | null; lastEntryId: number | null },
): Promise<void> {
  await tx.sql.prepared(
    "record-check-in",
    `UPDATE stay SET check_in_after_entry_id = $3::int, check_in_last_entry_id = $4::int, check_in_ends_at = ends_at
      WHERE hotel_id = $1 AND id = $2::int RETURNING id`,
    stayId,
    afterEntryId ?? 0,
    lastEntryId ?? 0,
  );
}

/**
 * SQL of whether nothing followed the recorded check-in of the stay `x`: no other room or departure, and nothing on its
 * bill.
 */
export const nothingSinceCheckInSql = `(x.check_in_ends_at = x.ends_at
  AND NOT EXISTS (SELECT FROM folio_entry f WHERE f.hotel_id = x.hotel_id AND f.stay_id = x.id AND f.id > x.check_in_last_entry_id)
  AND NOT EXISTS (SELECT FROM occupancy w WHERE w.hotel_id = x.hotel_id AND w.stay_id = x.id AND w.state = 'ended'))`;

/** What a check-in left, for undoing it. */
interface CheckInOfStay {
  at: string;
  /** the folio entries that it wrote; null: unknown, so the check-in can't be undone */
  entryIds: number[] | null;
  /** whether the room, the departure or the bill changed since */
  isFollowed: boolean;
}

const CHECK_IN_OF_STAY = `SELECT iso(x.checked_in_at) AS at, NOT ${nothingSinceCheckInSql} AS "isFollowed",
    CASE WHEN x.check_in_last_entry_id IS NOT NULL THEN ARRAY (SELECT f.id FROM folio_entry f
      WHERE f.hotel_id = $1 AND f.stay_id = x.id AND f.id > x.check_in_after_entry_id AND f.id <= x.check_in_last_entry_id
      ORDER BY f.id) END AS "entryIds"
  FROM stay x WHERE x.hotel_id = $1 AND x.id = $2::int AND x.state = 'checked_in' AND x.checked_in_at IS NOT NULL`;

/** Returns what the check-in of a stay left. @throws state_conflict unless the party is in the house */
export async function readCheckIn(sql: HotelSql, stayId: number): Promise<CheckInOfStay> {
  const [row] = await sql.rows<Omit<CheckInOfStay, "isFollowed"> & { isFollowed: boolean | null }>(
    CHECK_IN_OF_STAY,
    stayId,
  );
  if (!row) throw new DomainError("state_conflict");
  return { ...row, isFollowed: row.isFollowed !== false };
}

/** Makes a locked party in the house a reservation again, in its room from its planned start. @throws room_taken */
export async function takeBackArrival(tx: Transaction, stay: LiveStay): Promise<void> {
  const { startsAt, endsAt } = stay;
  await tx.db.occupancy.update({ where: { id: stay.occupancyId }, data: { state: "held", startsAt, endsAt } });
  await tx.db.stay.update({
    where: { id: stay.id, state: stay.state },
    data: {
      ...{ state: "reserved", checkedInAt: null, checkedInByGuest: false, checkInUndone: true, depositMinor: 0 },
      ...{ checkInAfterEntryId: null, checkInLastEntryId: null, checkInEndsAt: null },
    },
  });
}

/**
 * Ends a reservation that the caller has locked; its room becomes free. `entryIds`: the folio entries that its end
 * wrote; `reason`: why the guests of a no-show didn't come.
 */
export async function endReservation(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  { state, entryIds, reason }: { state: "cancelled" | "no_show"; entryIds: readonly number[]; reason?: string },
): Promise<void> {
  await tx.db.stay.update({
    where: { id: stay.id, state: stay.state },
    data: {
      ...{ state, cancelledAt: scope.now(), endedEntryIds: [...entryIds] },
      // The reason of an earlier no-show of this reservation is history.
      ...(reason && { noShowReason: reason }),
    },
  });
  await tx.db.occupancy.update({ where: { id: stay.occupancyId }, data: { state: "cancelled" } });
}

/** What the end of a stay left, for undoing it: its check-out, cancellation or no-show. */
interface EndOfStay {
  at: string;
  /** the folio entries that it wrote */
  entryIds: number[];
  /** of the room, before a check-out; null: unknown, so the check-out can't be undone */
  roomCondition: "clean" | "dirty" | null;
}

/** The stay is over, and the caller has locked it. */
export async function readEnd(tx: Transaction, stayId: number): Promise<EndOfStay> {
  const { checkedOutAt, cancelledAt, endedEntryIds, roomConditionBefore } = await tx.db.stay.findUniqueOrThrow({
    where: { id: stayId },
    select: { checkedOutAt: true, cancelledAt: true, endedEntryIds: true, roomConditionBefore: true },
  });
  const at = checkedOutAt ?? cancelledAt;
  if (!at) throw new DomainError("state_conflict");
  return { at: at.toISOString(), entryIds: endedEntryIds, roomCondition: roomConditionBefore };
}

/** Brings back a locked reservation that ended before its guests came, in the given room. @throws room_taken */
export async function reopenReservation(scope: Scope, tx: Transaction, stay: LiveStay, roomId: number): Promise<void> {
  const { id: stayId, startsAt, endsAt } = stay;
  if (roomId === stay.roomId) {
    await tx.db.occupancy.update({ where: { id: stay.occupancyId }, data: { state: "held" } });
  } else await insertOccupancy(scope, tx, { stayId, roomId, state: "held", startsAt, endsAt });
  await tx.db.stay.update({
    where: { id: stayId, state: stay.state },
    data: { state: "reserved", cancelledAt: null, endedEntryIds: [] },
  });
}

const CHECK_OUT = `WITH
  ended AS (
    UPDATE occupancy SET state = 'ended', ends_at = $4::timestamptz WHERE hotel_id = $1 AND id = $3::int RETURNING id
  )
  UPDATE stay SET state = 'checked_out', checked_out_at = $5::timestamptz, ended_entry_ids = $6::int[],
    room_condition_before = (SELECT r.condition FROM room r WHERE r.hotel_id = $1 AND r.id = $7::int)
   FROM ended WHERE stay.hotel_id = $1 AND stay.id = $2::int AND stay.state = 'checked_in' RETURNING stay.id`;

/**
 * Checks out a stay that the caller has locked; its room becomes free. `entryIds`: the folio entries that the check-out
 * wrote. @throws state_conflict unless it is checked in
 */
export async function checkOutStay(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  entryIds: readonly number[],
): Promise<void> {
  const now = scope.now();
  const rows = await tx.sql.prepared(
    "check-out-stay",
    CHECK_OUT,
    stay.id,
    stay.occupancyId,
    endOf(stay, now),
    now,
    [...entryIds],
    stay.roomId,
  );
  if (rows.length === 0) throw new DomainError("state_conflict");
}

/** What took the room $2 at $4 after the check-out at $5, other than the occupancy $3. */
const TAKEN_SINCE = `SELECT EXISTS (SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.id <> $3::int
  AND o.state = 'held' AND o.starts_at <= $4::timestamptz AND (o.ends_at IS NULL OR o.ends_at > $4::timestamptz)
  AND o.created_at >= $5::timestamptz) AS taken`;

/**
 * Brings a locked party that was checked out at `since` back into its room, with the dates of its stay. @throws
 * room_taken
 */
export async function reopenStay(scope: Scope, tx: Transaction, stay: LiveStay, since: string): Promise<void> {
  // A party that stays longer than planned keeps the room, but the constraints on periods know its planned end only.
  const [room] = await tx.sql.rows<{ taken: boolean }>(TAKEN_SINCE, stay.roomId, stay.occupancyId, scope.now(), since);
  if (room?.taken) throw new DomainError("room_taken");
  const endsAt = new Date(Math.max(Date.parse(stay.endsAt), Date.parse(stay.occupiedAt)));
  await tx.db.occupancy.update({ where: { id: stay.occupancyId }, data: { state: "in_house", endsAt } });
  await tx.db.stay.update({
    where: { id: stay.id, state: stay.state },
    data: { state: "checked_in", checkedOutAt: null, endedEntryIds: [], roomConditionBefore: null },
  });
}

/**
 * Returns now, or the start of the occupancy if the clock was set back, because no occupancy may end before it began.
 */
function endOf({ occupiedAt }: LiveStay, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(occupiedAt)));
}

/**
 * Moves a locked stay into another room from `cut` on: now for a party in the house, otherwise its arrival. Returns the
 * new occupancy's id. @throws room_taken
 */
export async function moveStay(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  { roomId, cut, disableOldCards }: { roomId: number; cut: string; disableOldCards: boolean },
): Promise<number> {
  const inHouse = stay.state === "checked_in";
  await tx.db.occupancy.update({
    where: { id: stay.occupancyId },
    data: inHouse ? { state: "ended", endsAt: endOf(stay, scope.now()) } : { state: "cancelled" },
  });
  const state = inHouse ? "in_house" : "held";
  const { id: stayId, endsAt } = stay;
  const occupancyId = await insertOccupancy(scope, tx, { stayId, roomId, state, startsAt: cut, endsAt });
  await updateStay(tx, stayId, { disableOldCards });
  return occupancyId;
}

/**
 * Moves a locked reservation to another room, other days, or both. Returns the id of its occupancy, which stays the
 * same in the same room. @throws room_taken
 */
export async function rebookStay(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  { roomId, startsAt, endsAt }: Period & { roomId: number },
): Promise<number> {
  let { occupancyId } = stay;
  if (roomId === stay.roomId) {
    await tx.db.occupancy.update({ where: { id: occupancyId }, data: { startsAt, endsAt } });
  } else {
    await tx.db.occupancy.update({ where: { id: occupancyId }, data: { state: "cancelled" } });
    occupancyId = await insertOccupancy(scope, tx, { stayId: stay.id, roomId, state: "held", startsAt, endsAt });
  }
  await tx.db.stay.update({ where: { id: stay.id, state: stay.state }, data: { startsAt, endsAt } });
  return occupancyId;
}

/** Moves the planned departure of a locked stay. @throws room_taken for a later one */
export async function setDeparture(tx: Transaction, stay: LiveStay, endsAt: string): Promise<void> {
  await tx.db.occupancy.update({ where: { id: stay.occupancyId }, data: { endsAt } });
  await tx.db.stay.update({ where: { id: stay.id, state: stay.state }, data: { endsAt } });
}

/** Changes details of a stay other than its period, room and state. */
export async function updateStay(
  tx: Transaction,
  stayId: number,
  data: Partial<Omit<NewStay, "unit" | keyof Period>>,
): Promise<void> {
  await tx.db.stay.update({ where: { id: stayId }, data });
}

/** Blocks rooms from now on, until an instant or, with null, further notice. @throws room_taken */
export async function startMaintenance(
  scope: Scope,
  tx: Transaction,
  roomIds: readonly number[],
  { endsAt, note }: { endsAt: string | null; note: string },
): Promise<void> {
  const { hotelId } = scope;
  const now = scope.now();
  const period = { kind: "maintenance", state: "held", startsAt: now, endsAt, note, createdAt: now } as const;
  await tx.db.occupancy.createMany({ data: roomIds.map((roomId) => ({ hotelId, roomId, ...period })) });
}

/** Changes the end and the note of running maintenance. @throws room_taken */
export async function updateMaintenance(
  tx: Transaction,
  occupancyIds: readonly number[],
  data: { endsAt: string | null; note: string },
): Promise<void> {
  await tx.db.occupancy.updateMany({ where: { id: { in: [...occupancyIds] } }, data });
}

/** Ends running maintenance now. */
export async function endMaintenance(scope: Scope, tx: Transaction, occupancyIds: readonly number[]): Promise<void> {
  await tx.db.occupancy.updateMany({
    where: { id: { in: [...occupancyIds] }, state: "held" },
    data: { state: "ended", endsAt: scope.now() },
  });
}

/** Ends a room's running maintenance now and cancels what was planned. */
export async function endAllMaintenance(scope: Scope, tx: Transaction, roomId: number): Promise<void> {
  const now = scope.now();
  const maintenance = { roomId, kind: "maintenance", state: "held" } as const;
  await tx.db.occupancy.updateMany({
    where: { ...maintenance, startsAt: { lte: now }, OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
    data: { state: "ended", endsAt: now },
  });
  await tx.db.occupancy.updateMany({
    where: { ...maintenance, startsAt: { gt: now } },
    data: { state: "cancelled" },
  });
}

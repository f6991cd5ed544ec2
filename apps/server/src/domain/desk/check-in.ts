import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import { totalOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { CheckInInput, ReserveInput } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { beginAccess, withdrawOpeningsOf } from "../access/public.ts";
import { chargeEntries, depositEntries, lastEntryOf, postEntry, settle } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import {
  addGuests,
  checkArrival,
  checkCustomer,
  checkExpected,
  checkInStay,
  checkNotInHouse,
  checkReady,
  insertStay,
  type LiveStay,
  priceStay,
  readGuestInputs,
  recordCheckIn,
  selectRoomForUpdate,
  selectStayForUpdate,
} from "../stays/public.ts";

/** A new stay: a party that arrives now, or a reservation. */
type Booking = ({ arrives: true } & CheckInInput) | ({ arrives: false } & ReserveInput);

/** How a party is booked; `isQuiet` means that its guest is not written to, because they booked elsewhere long ago. */
type BookingWay = { isQuiet?: boolean };

export interface Booked {
  stayId: number;
  stayGuestId: number;
  entryId: number;
  totalMinor: number;
  depositMinor: number;
}

const FIRST_CHARGE = `SELECT id AS "entryId", amount_minor::int AS "totalMinor" FROM folio_entry
  WHERE hotel_id = $1 AND stay_id = $2::int AND type = 'room' ORDER BY id LIMIT 1`;

/** Returns the result that the booking of an existing stay returned. */
export async function bookedAs(tx: Transaction, stay: LiveStay, depositMinor: number): Promise<Booked> {
  const [charge] = await tx.sql.prepared<{ entryId: number; totalMinor: number }>(
    "first-charge",
    FIRST_CHARGE,
    stay.id,
  );
  if (!charge) throw new Error(`stay ${stay.id} has no charge for its room`);
  return { stayId: stay.id, stayGuestId: stay.stayGuestId, ...charge, depositMinor };
}

/** Creates a stay with its occupancy, guests and folio. */
async function book(scope: Scope, tx: Transaction, input: Booking, way: BookingWay): Promise<Booked> {
  const arrival = input.arrives ? input : null;
  const room = await selectRoomForUpdate(scope, tx.sql, input.roomId);
  if (arrival) checkReady(room, arrival.confirmDirty);
  const lines = priceStay(room, input, input.unit, scope.hotel, input.agreedTotalMinor);
  const totalMinor = totalOf(lines);
  checkExpected(input.expectedTotalMinor, totalMinor);
  if (arrival) await checkNotInHouse(scope, tx, input.guests, null, input.confirmAlreadyIn);
  await checkCustomer(scope, tx, input.customerId);

  const depositMinor = arrival ? (arrival.depositMinor ?? room.prices?.depositMinor ?? 0) : 0;
  const { stayId, occupancyId } = await insertStay(scope, tx, room.id, input, arrival && { depositMinor });
  if (arrival) await beginAccess(scope, tx, stayId, room.id);
  const { stayGuestId, stayIdsOfEndedLinks } = await addGuests(scope, tx, stayId, input.guests);
  await withdrawOpeningsOf(scope, tx, stayIdsOfEndedLinks);
  const entryId = await postEntry(scope, tx, {
    stayId,
    type: "room",
    amountMinor: totalMinor,
    channel: input.channel,
    lines: lines.map((line) => ({ ...line, occupancyId })),
    entries: chargeEntries(totalMinor, input.channel),
  });
  if (arrival) {
    const depositId = await takeDeposit(scope, tx, stayId, depositMinor, arrival.depositChannel);
    await recordCheckIn(tx, stayId, { afterEntryId: null, lastEntryId: depositId ?? entryId });
  }
  tx.audit({
    action: arrival ? "stay.check_in" : "stay.reserve",
    entity: "stay",
    entityId: stayId,
    after: {
      roomId: room.id,
      startsAt: input.startsAt,
      endsAt: input.endsAt,
      unit: input.unit,
      totalMinor,
      depositMinor,
    },
  });
  await announceStay(scope, tx, arrival ? "stay.checked_in" : "stay.reserved", stayId, {}, way);
  tx.boardChanged([room.id]);
  return { stayId, stayGuestId, entryId, totalMinor, depositMinor };
}

/** Returns the id of the deposit's entry; null: there is none. */
async function takeDeposit(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  depositMinor: number,
  channel: CheckInInput["depositChannel"],
): Promise<number | null> {
  if (depositMinor === 0) return null;
  const entries = depositEntries(depositMinor, channel);
  return postEntry(scope, tx, { stayId, type: "deposit", amountMinor: depositMinor, channel, entries });
}

/** @throws room_taken, price_changed, price_missing */
export async function reserve(scope: Scope, input: ReserveInput, way: BookingWay = {}): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, false);
  return scope.write((tx) => book(scope, tx, { ...input, arrives: false }, way));
}

/** As `checkIn`, in the caller's transaction, which has checked the permissions. */
export async function checkInIn(
  scope: Scope,
  tx: Transaction,
  input: CheckInInput,
  way: BookingWay = {},
): Promise<Booked> {
  checkArrival(scope, input.startsAt, input.endsAt, true);
  return book(scope, tx, { ...input, arrives: true }, way);
}

/** @throws room_taken, room_not_ready, guest_already_in, price_changed, price_missing */
export async function checkIn(scope: Scope, input: CheckInInput, way: BookingWay = {}): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((tx) => checkInIn(scope, tx, input, way));
}

/**
 * Checks in the party of a reservation. @throws arrival_too_early before the reserved day, as nights would be missing
 */
export async function arriveIn(
  scope: Scope,
  tx: Transaction,
  input: z.infer<typeof schema.arriveInput>,
): Promise<Booked> {
  const now = scope.now();
  const { timeZone, dayStartTime } = scope.hotel;
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved");
  const room = await selectRoomForUpdate(scope, tx.sql, stay.roomId);
  checkReady(room, input.confirmDirty);
  if (Date.parse(stay.endsAt) <= now.getTime()) throw new DomainError("stay_expired");
  const planned = businessDate(stay.startsAt, timeZone, dayStartTime);
  if (businessDate(now.toISOString(), timeZone, dayStartTime) < planned) {
    throw new DomainError("arrival_too_early", { date: planned, time: dayStartTime });
  }
  await checkNotInHouse(scope, tx, await readGuestInputs(scope, tx, stay.id), stay.id, input.confirmAlreadyIn);
  const depositMinor = input.depositMinor ?? room.prices?.depositMinor ?? 0;
  const afterEntryId = await lastEntryOf(tx, stay.id);
  await checkInStay(scope, tx, stay, depositMinor);
  await beginAccess(scope, tx, stay.id, room.id);
  await takeDeposit(scope, tx, stay.id, depositMinor, input.depositChannel);
  if (input.channel) await settle(scope, tx, stay.id, input.channel);
  await recordCheckIn(tx, stay.id, { afterEntryId, lastEntryId: await lastEntryOf(tx, stay.id) });
  tx.audit({
    action: "stay.arrive",
    entity: "stay",
    entityId: stay.id,
    after: { roomId: room.id, depositMinor },
  });
  await announceStay(scope, tx, "stay.checked_in", stay.id);
  tx.boardChanged([room.id]);
  return bookedAs(tx, stay, depositMinor);
}

/** As `arriveIn`, in a transaction of its own. */
export async function arrive(scope: Scope, input: z.infer<typeof schema.arriveInput>): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((tx) => arriveIn(scope, tx, input));
}

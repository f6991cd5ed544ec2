import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import { HOUR_MS, MAXIMUM_STAY_DAYS, totalOf } from "@innkey/shared/quote";
import type { CheckInInput, GuestInput, ReserveInput } from "@innkey/shared/schemas/stays";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { OccupancyState, StayState } from "../../infra/database/generated/enums.ts";
import { findAlreadyIn, saveGuest } from "../guests/identity.ts";
import { normalDocumentNumber } from "../guests/visible-people.ts";
import { chargeEntries, depositEntries, postOrder } from "../orders/ledger.ts";
import { announceStay } from "../webhooks/announce.ts";
import { beginAccess } from "./access.ts";
import type { LiveStay } from "./live-stay.ts";
import { checkExpected, lockRoom, type PricedRoom, priceStay } from "./pricing.ts";

/** Days that an arrival may be backdated, for when the front desk was offline. */
const BACKDATE_DAYS = 31;

type Booking = ReserveInput | CheckInInput;

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
  if (age > (arriving ? BACKDATE_DAYS : 1) * 24 * HOUR_MS) refuseField("startsAt", "validation.pastArrival");
  const date = (at: string): string => businessDate(at, timeZone, dayStartTime);
  if (arriving && date(startsAt) > date(now.toISOString())) refuseField("startsAt", "validation.futureArrival");
}

/** Checks that a renewal ends later than before, in the future, and within the maximum length of a stay. */
export function checkRenewal(scope: Scope, stay: { startsAt: string; endsAt: string }, endsAt: string): void {
  if (endsAt <= stay.endsAt) refuseField("endsAt", "validation.renewalNotLater");
  if (Date.parse(endsAt) <= scope.now().getTime()) refuseField("endsAt", "validation.departurePast");
  if (Date.parse(endsAt) - Date.parse(stay.startsAt) > MAXIMUM_STAY_DAYS * 24 * HOUR_MS)
    refuseField("endsAt", "validation.stayTooLong");
}

/** Shown instead of the name of a room that the caller can't see. */
const HIDDEN_ROOM = "•••";

/** @throws guest_already_in naming the room, until the caller confirms */
export async function checkAlreadyIn(
  scope: Scope,
  unit: Unit,
  guests: readonly GuestInput[],
  stayId: number | null,
  confirmed: boolean,
): Promise<void> {
  if (confirmed) return;
  const already = await findAlreadyIn(scope, unit, guests, stayId);
  if (!already) return;
  const { guestName, roomId, roomName } = already;
  throw new DomainError("guest_already_in", { guestName, roomName: scope.seesRoom(roomId) ? roomName : HIDDEN_ROOM });
}

/** @throws room_not_ready for a room that is not cleaned, until the caller confirms */
export function checkReady(room: PricedRoom, confirmed: boolean): void {
  if (room.condition === "dirty" && !confirmed) throw new DomainError("room_not_ready", { roomName: room.name });
}

export interface Booked {
  stayId: number;
  manageId: number;
  orderId: number;
  totalMinor: number;
  depositMinor: number;
}

/** Returns what the booking of an existing stay returned. */
export async function bookedAs(unit: Unit, stay: LiveStay, depositMinor: number): Promise<Booked> {
  const first = await unit.db.order.findFirstOrThrow({
    where: { stayId: stay.id, type: "room" },
    orderBy: { id: "asc" },
  });
  return { stayId: stay.id, manageId: stay.manageId, orderId: first.id, totalMinor: first.amountMinor, depositMinor };
}

interface Arrival {
  depositMinor: number | null;
  depositChannel: CheckInInput["depositChannel"];
  confirmDirty: boolean;
}

/** Creates a reservation (`arrival` null) or check-in: stay, occupancy, guests and folio in one transaction. */
export async function book(scope: Scope, unit: Unit, input: Booking, arrival: Arrival | null): Promise<Booked> {
  const { hotelId } = scope;
  const now = scope.now();
  const room = await lockRoom(scope, unit.sql, input.roomId);
  if (arrival) checkReady(room, arrival.confirmDirty);
  const lines = priceStay(room, input, input.unit, scope.hotel, input.agreedTotalMinor);
  const totalMinor = totalOf(lines);
  checkExpected(input.expectedTotalMinor, totalMinor);
  if (arrival) await checkAlreadyIn(scope, unit, input.guests, null, input.confirmAlreadyIn);
  await checkCustomer(scope, unit, input.customerId);

  const depositMinor = arrival ? (arrival.depositMinor ?? room.prices?.depositMinor ?? 0) : 0;
  const states: { stay: StayState; occupancy: OccupancyState } = arrival
    ? { stay: "checked_in", occupancy: "in_house" }
    : { stay: "reserved", occupancy: "held" };
  const stay = await unit.db.stay.create({
    data: {
      hotelId,
      state: states.stay,
      unit: input.unit,
      startsAt: input.startsAt,
      endsAt: input.endsAt,
      checkedInAt: arrival ? now : null,
      depositMinor,
      breakfast: input.breakfast,
      otherInformation: input.otherInformation,
      disableOldCards: input.disableOldCards,
      idCardMatch: input.idCardMatch,
      customerId: input.customerId,
      createdById: scope.operatorId,
      createdAt: now,
    },
    select: { id: true },
  });
  const occupancy = await unit.db.occupancy.create({
    data: {
      hotelId,
      roomId: room.id,
      stayId: stay.id,
      state: states.occupancy,
      startsAt: arrival ? earlier(now, new Date(input.startsAt)) : input.startsAt,
      endsAt: input.endsAt,
      createdAt: now,
    },
    select: { id: true },
  });
  if (arrival) await beginAccess(scope, unit, stay.id, room.id);
  const manageId = await addGuests(scope, unit, stay.id, input.guests);
  const orderId = await postOrder(scope, unit, {
    stayId: stay.id,
    type: "room",
    amountMinor: totalMinor,
    channel: input.channel,
    lines: lines.map((line) => ({ ...line, occupancyId: occupancy.id })),
    entries: chargeEntries(totalMinor, input.channel),
  });
  if (arrival) await takeDeposit(scope, unit, stay.id, depositMinor, arrival.depositChannel);
  unit.journal({
    action: arrival ? "stay.check_in" : "stay.reserve",
    entity: "stay",
    entityId: stay.id,
    after: {
      roomId: room.id,
      startsAt: input.startsAt,
      endsAt: input.endsAt,
      unit: input.unit,
      totalMinor,
      depositMinor,
    },
  });
  await announceStay(scope, unit, arrival ? "stay.checked_in" : "stay.reserved", stay.id);
  unit.boardChanged();
  return { stayId: stay.id, manageId, orderId, totalMinor, depositMinor };
}

export function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

export async function takeDeposit(
  scope: Scope,
  unit: Unit,
  stayId: number,
  depositMinor: number,
  channel: CheckInInput["depositChannel"],
): Promise<void> {
  if (depositMinor === 0) return;
  const entries = depositEntries(depositMinor, channel);
  await postOrder(scope, unit, { stayId, type: "deposit", amountMinor: depositMinor, channel, entries });
}

/**
 * Checks the customer of a stay. A caller who may not see customers gets the same error whether or not the customer
 * exists. @throws invalid_input, customer_frozen
 */
export async function checkCustomer(scope: Scope, unit: Unit, customerId: number | null): Promise<void> {
  if (customerId === null) return;
  if (!scope.can("customers.view")) refuseField("customerId", "validation.unknown");
  // The row stays locked until the stay exists, so that the customer can't be frozen or removed in between.
  const [customer] = await unit.sql.rows<{ frozen: boolean }>(
    `SELECT frozen_at IS NOT NULL AS frozen FROM customer
      WHERE hotel_id = $1 AND id = $2::int AND removed_at IS NULL FOR SHARE`,
    customerId,
  );
  if (!customer) refuseField("customerId", "validation.unknown");
  if (customer.frozen) throw new DomainError("customer_frozen");
}

/**
 * Adds the guests of a stay and returns the id of the first one, the primary guest (old clients call it manage_id). Two
 * entries of the same person become one guest.
 */
async function addGuests(scope: Scope, unit: Unit, stayId: number, guests: readonly GuestInput[]): Promise<number> {
  const roomIds = new Set<number>();
  const typed = new Set<string>();
  let primary = 0;
  for (const guest of guests) {
    const number = normalDocumentNumber(guest.documentNumber);
    const identity = JSON.stringify([guest.name, number]);
    if (number !== "" && typed.has(identity)) continue;
    typed.add(identity);
    const guestId = await saveGuest(scope, unit, guest);
    if (roomIds.has(guestId)) continue;
    roomIds.add(guestId);
    const row = await unit.db.stayGuest.create({
      data: { hotelId: scope.hotelId, stayId, guestId, primary: primary === 0, createdAt: scope.now() },
      select: { id: true },
    });
    primary ||= row.id;
  }
  return primary;
}

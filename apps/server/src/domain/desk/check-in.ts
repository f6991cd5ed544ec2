import { totalOf } from "@innkey/shared/quote";
import type { CheckInInput, GuestInput, ReserveInput } from "@innkey/shared/schemas/stays";
import type { OccupancyState, StayState } from "../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Unit } from "../../kernel/unit.ts";
import { beginAccess } from "../access/public.ts";
import { chargeEntries, depositEntries, postOrder } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import {
  checkAlreadyIn,
  checkArrival,
  checkCustomer,
  checkExpected,
  checkReady,
  type LiveStay,
  lockRoom,
  normalDocumentNumber,
  priceStay,
  saveGuest,
} from "../stays/public.ts";

type Booking = ReserveInput | CheckInInput;

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

/** @throws room_taken, price_changed, price_missing */
export async function reserve(scope: Scope, input: ReserveInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, false);
  return scope.write((unit) => book(scope, unit, input, null));
}

/** @throws room_taken, room_not_ready, guest_already_in, price_changed, price_missing */
export async function checkIn(scope: Scope, input: CheckInInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, true);
  return scope.write((unit) => book(scope, unit, input, input));
}

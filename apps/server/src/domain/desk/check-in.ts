import { totalOf } from "@innkey/shared/quote";
import type { CheckInInput, ReserveInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { beginAccess } from "../access/public.ts";
import { chargeEntries, depositEntries, postEntry } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import {
  addGuests,
  checkAlreadyIn,
  checkArrival,
  checkCustomer,
  checkExpected,
  checkReady,
  insertStay,
  type LiveStay,
  priceStay,
  selectRoomForUpdate,
} from "../stays/public.ts";

type Booking = ReserveInput | CheckInInput;

export interface Booked {
  stayId: number;
  stayGuestId: number;
  entryId: number;
  totalMinor: number;
  depositMinor: number;
}

/** Returns the result that the booking of an existing stay returned. */
export async function bookedAs(tx: Transaction, stay: LiveStay, depositMinor: number): Promise<Booked> {
  const first = await tx.db.folioEntry.findFirstOrThrow({
    where: { stayId: stay.id, type: "room" },
    orderBy: { id: "asc" },
  });
  return {
    stayId: stay.id,
    stayGuestId: stay.stayGuestId,
    entryId: first.id,
    totalMinor: first.amountMinor,
    depositMinor,
  };
}

interface Arrival {
  depositMinor: number | null;
  depositChannel: CheckInInput["depositChannel"];
  confirmDirty: boolean;
}

/** Creates a reservation (`arrival` null) or check-in: stay, occupancy, guests and folio in one transaction. */
export async function book(scope: Scope, tx: Transaction, input: Booking, arrival: Arrival | null): Promise<Booked> {
  const room = await selectRoomForUpdate(scope, tx.sql, input.roomId);
  if (arrival) checkReady(room, arrival.confirmDirty);
  const lines = priceStay(room, input, input.unit, scope.hotel, input.agreedTotalMinor);
  const totalMinor = totalOf(lines);
  checkExpected(input.expectedTotalMinor, totalMinor);
  if (arrival) await checkAlreadyIn(scope, tx, input.guests, null, input.confirmAlreadyIn);
  await checkCustomer(scope, tx, input.customerId);

  const depositMinor = arrival ? (arrival.depositMinor ?? room.prices?.depositMinor ?? 0) : 0;
  const { stayId, occupancyId } = await insertStay(scope, tx, room.id, input, arrival && { depositMinor });
  if (arrival) await beginAccess(scope, tx, stayId, room.id);
  const stayGuestId = await addGuests(scope, tx, stayId, input.guests);
  const entryId = await postEntry(scope, tx, {
    stayId,
    type: "room",
    amountMinor: totalMinor,
    channel: input.channel,
    lines: lines.map((line) => ({ ...line, occupancyId })),
    entries: chargeEntries(totalMinor, input.channel),
  });
  if (arrival) await takeDeposit(scope, tx, stayId, depositMinor, arrival.depositChannel);
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
  await announceStay(scope, tx, arrival ? "stay.checked_in" : "stay.reserved", stayId);
  tx.boardChanged();
  return { stayId, stayGuestId, entryId, totalMinor, depositMinor };
}

export async function takeDeposit(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  depositMinor: number,
  channel: CheckInInput["depositChannel"],
): Promise<void> {
  if (depositMinor === 0) return;
  const entries = depositEntries(depositMinor, channel);
  await postEntry(scope, tx, { stayId, type: "deposit", amountMinor: depositMinor, channel, entries });
}

/** @throws room_taken, price_changed, price_missing */
export async function reserve(scope: Scope, input: ReserveInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, false);
  return scope.write((tx) => book(scope, tx, input, null));
}

/** @throws room_taken, room_not_ready, guest_already_in, price_changed, price_missing */
export async function checkIn(scope: Scope, input: CheckInInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, true);
  return scope.write((tx) => book(scope, tx, input, input));
}

import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { payoutChannel } from "../orders/payout.ts";
import { readAccount, refundCharges, returnCredit } from "../orders/stay-account.ts";
import { announceStay } from "../webhooks/announce.ts";
import { endAccess } from "./access.ts";
import { arriveIn } from "./arrival.ts";
import { type Booked, book, checkArrival } from "./booking.ts";
import { checkOutIn } from "./check-out.ts";
import { lockStay } from "./live-stay.ts";
import { renewIn } from "./renewal.ts";
import { changeRoomIn } from "./room-change.ts";
import { setFlags } from "./stay-flags.ts";
import { takeDownIn } from "./take-down.ts";

/**
 * Stages of a stay: reserved → checked_in → checked_out, or reserved → cancelled (source: domain rules, Stays). Every
 * operation is one transaction; amounts are minor units of the hotel's currency, times are ISO 8601 in UTC.
 */
type Input<S extends z.ZodType> = z.infer<S>;

/** @throws room_taken, price_changed, price_missing */
export async function reserve(scope: Scope, input: schema.ReserveInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, false);
  return scope.write((unit) => book(scope, unit, input, null));
}

/** @throws room_taken, room_not_ready, guest_already_in, price_changed, price_missing */
export async function checkIn(scope: Scope, input: schema.CheckInInput): Promise<Booked> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  checkArrival(scope, input.startsAt, input.endsAt, true);
  return scope.write((unit) => book(scope, unit, input, input));
}

/**
 * Checks in the party of a reservation. @throws arrival_too_early before the reserved day, as nights would be missing
 */
export async function arrive(scope: Scope, input: Input<typeof schema.arriveInput>): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((unit) => arriveIn(scope, unit, input));
}

/**
 * Moves the planned departure later; only nights that aren't charged yet are added. @throws room_taken, price_changed
 */
export async function renew(
  scope: Scope,
  input: Input<typeof schema.renewInput>,
): Promise<Input<typeof schema.renewed>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => renewIn(scope, unit, input));
}

/** Ends the occupancy now and starts one in the new room for the rest; the old room is marked for cleaning. */
export async function changeRoom(
  scope: Scope,
  input: Input<typeof schema.changeRoomInput>,
): Promise<Input<typeof schema.roomChanged>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => changeRoomIn(scope, unit, input));
}

/** Ends the stay now, settles its folio and marks the room for cleaning. @throws unpaid until paid or confirmed */
export async function checkOut(scope: Scope, input: schema.CheckOutInput): Promise<Input<typeof schema.checkedOut>> {
  scope.require("stays.manage");
  if (input.refundUnusedMinor > 0) scope.require("orders.refund");
  return scope.write((unit) => checkOutIn(scope, unit, input));
}

/**
 * Cancels a reservation: the room is free at once and its charges are cancelled. Payments are refunded if the caller
 * may pay out; otherwise they remain as the guest's credit.
 */
export async function cancel(scope: Scope, input: Input<typeof schema.cancelInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const refundChannel = payoutChannel(scope, input.refundChannel);
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "reserved");
    const { chargedMinor } = await readAccount(unit.sql, stay.id);
    let refundMinor = await refundCharges(scope, unit, stay.id, chargedMinor, refundChannel);
    if (refundChannel) refundMinor += await returnCredit(scope, unit, stay.id, refundChannel);
    await unit.db.stay.update({
      where: { id: stay.id, state: stay.state },
      data: { state: "cancelled", cancelledAt: scope.now() },
    });
    await unit.db.occupancy.update({ where: { id: stay.occupancyId }, data: { state: "cancelled" } });
    await endAccess(scope, unit, stay, "checked_out");
    unit.journal({
      action: "stay.cancel",
      entity: "stay",
      entityId: stay.id,
      before: { roomId: stay.roomId, startsAt: stay.startsAt },
      after: { refundMinor },
    });
    await announceStay(scope, unit, "stay.cancelled", stay.id);
    unit.boardChanged();
    return { stayId: stay.id };
  });
}

/** Changes details of a stay other than its period, room and folio. */
export async function update(scope: Scope, input: Input<typeof schema.updateStayInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const { stayId, ...flags } = input;
  return scope.write(async (unit) => {
    await setFlags(scope, unit, await lockStay(scope, unit, stayId, "reserved", "checked_in"), flags);
    return { stayId };
  });
}

/**
 * Updates an existing stay from a registration form: the guest, what the stay includes and, for a reservation, the
 * check-in, all in one transaction. Omitted fields stay unchanged. @throws state_conflict if the stored room or period
 * differs from the form; otherwise as `arrive`
 */
export async function takeDown(scope: Scope, input: schema.TakeDownInput): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((unit) => takeDownIn(scope, unit, input));
}

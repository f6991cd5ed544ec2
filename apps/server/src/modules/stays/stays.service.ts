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
 * The life of a stay: reserved → checked_in → checked_out, or reserved → cancelled (source: domain rules, Stays). Every
 * act is one transaction; amounts are minor units of the hotel's currency, instants ISO 8601 in UTC.
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

/** The party of a reservation checks in. @throws arrival_too_early before the reserved day, as nights would be missing */
export async function arrive(scope: Scope, input: Input<typeof schema.arriveInput>): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((unit) => arriveIn(scope, unit, input));
}

/** Moves the planned departure later; only the nights not yet charged cost. @throws room_taken, price_changed */
export async function renew(
  scope: Scope,
  input: Input<typeof schema.renewInput>,
): Promise<Input<typeof schema.renewed>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => renewIn(scope, unit, input));
}

/** Ends the occupancy now and opens one in the new room for the rest; the old room is left to be cleaned. */
export async function changeRoom(
  scope: Scope,
  input: Input<typeof schema.changeRoomInput>,
): Promise<Input<typeof schema.roomChanged>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => changeRoomIn(scope, unit, input));
}

/** Ends the stay now, settles its money and leaves the room to be cleaned. @throws unpaid until paid or confirmed */
export async function checkOut(scope: Scope, input: schema.CheckOutInput): Promise<Input<typeof schema.checkedOut>> {
  scope.require("stays.manage");
  if (input.refundUnusedMinor > 0) scope.require("orders.refund");
  return scope.write((unit) => checkOutIn(scope, unit, input));
}

/**
 * Gives a reservation up: the room is free at once, what was charged is struck off. What was paid goes back where the
 * caller may pay out, and is the guest's credit where not.
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

/** What may change about a stay without touching its time, room or money. */
export async function update(scope: Scope, input: Input<typeof schema.updateStayInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const { stayId, ...flags } = input;
  return scope.write(async (unit) => {
    await setFlags(scope, unit, await lockStay(scope, unit, stayId, "reserved", "checked_in"), flags);
    return { stayId };
  });
}

/**
 * A guest on the books is taken down again: who they are, what the stay includes, and, of a reservation, that they are
 * here; all of it or nothing. What is left out stays as it is.
 * @throws state_conflict if the books say another room or time than the desk; otherwise as `arrive`
 */
export async function takeDown(scope: Scope, input: schema.TakeDownInput): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((unit) => takeDownIn(scope, unit, input));
}

import { DomainError } from "@innkey/shared/errors";
import { restOf, totalOf } from "@innkey/shared/quote";
import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { lastOrderOf } from "../orders/ledger.ts";
import { readAccount, refundCharges, returnCredit, returnDeposits, settle } from "../orders/stay-account.ts";
import { statusNow } from "../rooms/status-now.ts";
import { announceStay } from "../webhooks/announce.ts";
import { endAccess } from "./access.ts";
import { arriveIn } from "./arrival.ts";
import { type Booked, book, checkArrival } from "./booking.ts";
import { endOf, lockStay } from "./live-stay.ts";
import { readLines } from "./pricing.ts";
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
export async function checkOut(
  scope: Scope,
  input: Input<typeof schema.checkOutInput>,
): Promise<Input<typeof schema.checkedOut>> {
  scope.require("stays.manage");
  if (input.refundUnusedMinor > 0) scope.require("orders.refund");
  const now = scope.now();
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "checked_in");
    const before = await lastOrderOf(unit, stay.id);
    let refundMinor = 0;
    if (input.refundUnusedMinor > 0) {
      const unused = totalOf(restOf(await readLines(unit.sql, stay.id), now.toISOString(), scope.hotel));
      if (input.refundUnusedMinor > unused)
        throw new DomainError("refund_too_large", { leftMinor: Math.max(0, unused) });
      refundMinor += await refundCharges(scope, unit, stay.id, input.refundUnusedMinor, input.refundChannel);
    }
    refundMinor += await returnCredit(scope, unit, stay.id, input.refundChannel);
    const paidMinor = input.channel ? await settle(scope, unit, stay.id, input.channel) : 0;
    if (input.refundDeposit) refundMinor += await returnDeposits(scope, unit, stay.id, input.refundChannel);
    const { owedMinor } = await readAccount(unit.sql, stay.id);
    if (owedMinor > 0 && !input.confirmUnpaid) {
      throw new DomainError("unpaid", { amountMinor: owedMinor, roomName: stay.roomName });
    }

    await unit.db.stay.update({
      where: { id: stay.id, state: stay.state },
      data: { state: "checked_out", checkedOutAt: now },
    });
    await unit.db.occupancy.update({
      where: { id: stay.occupancyId },
      data: { state: "ended", endsAt: endOf(stay, now) },
    });
    await endAccess(scope, unit, stay, "checked_out");
    await unit.db.room.update({ where: { id: stay.roomId }, data: { condition: "dirty" } });
    unit.journal({
      action: "stay.check_out",
      entity: "stay",
      entityId: stay.id,
      before: { roomId: stay.roomId, endsAt: stay.endsAt },
      after: { checkedOutAt: now.toISOString(), paidMinor, refundMinor, owedMinor },
    });
    await announceStay(scope, unit, "stay.checked_out", stay.id);
    unit.boardChanged();
    const last = await lastOrderOf(unit, stay.id);
    const orderId = last === before ? await lastOrderOf(unit, stay.id, "room") : last;
    const roomStatus = await statusNow(scope, unit.sql, stay.roomId);
    return { stayId: stay.id, roomId: stay.roomId, orderId, paidMinor, refundMinor, owedMinor, roomStatus };
  });
}

/** Gives a reservation up: the room is free at once, what was charged is struck off, what was paid goes back. */
export async function cancel(scope: Scope, input: Input<typeof schema.cancelInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "reserved");
    const { chargedMinor, owedMinor } = await readAccount(unit.sql, stay.id);
    if (chargedMinor > owedMinor) scope.require("orders.refund");
    const paidOut = await refundCharges(scope, unit, stay.id, chargedMinor, input.refundChannel);
    const credit = await returnCredit(scope, unit, stay.id, input.refundChannel);
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
      after: { refundMinor: paidOut + credit },
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
    await setFlags(unit, await lockStay(scope, unit, stayId, "reserved", "checked_in"), flags);
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

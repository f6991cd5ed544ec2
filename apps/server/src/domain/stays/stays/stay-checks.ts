import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import { HOUR_MS, MAXIMUM_STAY_DAYS } from "@innkey/shared/quote";
import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { findAlreadyIn } from "../guests/identity.ts";
import type { PricedRoom } from "./pricing.ts";

/** Days that an arrival may be backdated, for when the front desk was offline. */
const BACKDATE_DAYS = 31;

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
  tx: Transaction,
  guests: readonly GuestInput[],
  stayId: number | null,
  confirmed: boolean,
): Promise<void> {
  if (confirmed) return;
  const already = await findAlreadyIn(scope, tx, guests, stayId);
  if (!already) return;
  const { guestName, roomId, roomName } = already;
  throw new DomainError("guest_already_in", { guestName, roomName: scope.seesRoom(roomId) ? roomName : HIDDEN_ROOM });
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

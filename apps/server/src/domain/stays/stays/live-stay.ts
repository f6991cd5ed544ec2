import { HOUR_MS } from "@innkey/shared/durations";
import type { StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import { MAX_STAY_DAYS } from "@innkey/shared/quote";
import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { StayState } from "../../../adapters/postgres/generated/enums.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { findAlreadyIn } from "../guests/identity.ts";
import type { PricedRoom } from "./pricing.ts";

/**
 * End time of stay `s`, written as the index `stay_ended` has it, so that a query for one day skips earlier years. A
 * stay is either checked out or cancelled, never both.
 */
export const ENDED_AT = "coalesce(s.checked_out_at, s.cancelled_at, 'infinity')";

/** A stay and its current or last room. */
export interface LiveStay {
  id: number;
  state: StayState;
  unit: StayUnit;
  startsAt: string;
  endsAt: string;
  depositMinor: number;
  customerId: number | null;
  occupancyId: number;
  /** when the party moved into its current room */
  occupiedAt: string;
  roomId: number;
  roomName: string;
  stayGuestId: number;
}

const STAY = `SELECT s.id, s.state::text AS state, s.unit::text AS unit, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
  s.deposit_minor AS "depositMinor", s.customer_id AS "customerId", o.id AS "occupancyId", iso(o.starts_at) AS "occupiedAt", o.room_id AS "roomId", r.name AS "roomName",
  (SELECT g.stay_guest_id FROM primary_guest g WHERE g.stay_id = s.id) AS "stayGuestId"
  FROM stay_now s
  JOIN occupancy o ON o.id = s.occupancy_id
  JOIN room r ON r.id = o.room_id
  WHERE s.hotel_id = $1 AND s.id = $2`;

/** @throws not_found, also for a stay in a room the caller can't see */
export async function readStay(scope: Scope, sql: HotelSql, stayId: number): Promise<LiveStay> {
  const [stay] = await sql.rows<LiveStay>(STAY, stayId);
  if (!stay || !scope.seesRoom(stay.roomId)) throw new DomainError("not_found");
  return stay;
}

/**
 * Locks a stay's row, so that changes to it run one after the other. Stays are always locked before rooms. @throws
 * state_conflict unless in one of `states`
 */
export async function selectStayForUpdate(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  ...states: StayState[]
): Promise<LiveStay> {
  await tx.sql.rows("SELECT id FROM stay WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", stayId);
  const stay = await readStay(scope, tx.sql, stayId);
  if (!states.includes(stay.state)) throw new DomainError("state_conflict", { state: stay.state });
  return stay;
}

/** A guest and the stay they belong to. */
interface PartyOfGuest {
  stayId: number;
  /** the party's current or last room */
  roomId: number;
  /** of that guest */
  name: string;
}

/** Input of an act on a stay that is named itself, or by one of its guests as old clients do. */
export type OfStay<Input extends { stayId: number }> = Input | (Omit<Input, "stayId"> & { stayGuestId: number });

/** Returns the input with the stay's id. The caller must have checked the permission. @throws not_found */
export async function withStayId<Input extends { stayId: number }>(
  scope: Scope,
  input: OfStay<Input>,
): Promise<Omit<Input, "stayId"> & { stayId: number }> {
  if ("stayId" in input) return input;
  const { stayId } = await partyOfGuest(scope, input.stayGuestId);
  return { ...input, stayId };
}

/**
 * Returns the stay for acts that name a guest but refer to the stay. The caller must have checked the permission. @throws not_found,
 * also for a guest in a room the caller can't see
 */
export async function partyOfGuest(scope: Scope, stayGuestId: number): Promise<PartyOfGuest> {
  const [party] = await scope.sql.rows<PartyOfGuest>(
    `SELECT sg.stay_id AS "stayId", s.room_id AS "roomId", g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
       JOIN stay_now s ON s.id = sg.stay_id
      WHERE sg.hotel_id = $1 AND sg.id = $2::int AND ($3::int[] IS NULL OR s.room_id = ANY ($3::int[]))`,
    stayGuestId,
    scope.roomIds,
  );
  if (!party) throw new DomainError("not_found");
  return party;
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
  const checkedIn = await findAlreadyIn(scope, tx, guests, stayId);
  if (!checkedIn) return;
  const { guestName, roomId, roomName } = checkedIn;
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

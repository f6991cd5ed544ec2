import type { StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { StayState } from "../../../adapters/postgres/generated/enums.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

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
  const [stay] = await sql.prepared<LiveStay>("live-stay", STAY, stayId);
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
  await tx.sql.prepared("lock-stay", "SELECT id FROM stay WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", stayId);
  const stay = await readStay(scope, tx.sql, stayId);
  if (!states.includes(stay.state)) throw new DomainError("state_conflict", { state: stay.state });
  return stay;
}

/** Returns the stay that is in the room now. @throws not_found if nobody is, also for a room the caller can't see */
export async function readPartyIn(scope: Scope, sql: HotelSql, roomId: number): Promise<number> {
  scope.requireRoom(roomId);
  const [party] = await sql.prepared<{ stayId: number }>(
    "party-in-room",
    `SELECT stay_id AS "stayId" FROM occupancy
      WHERE hotel_id = $1 AND room_id = $2::int AND kind = 'stay' AND state = 'in_house' LIMIT 1`,
    roomId,
  );
  if (!party) throw new DomainError("not_found");
  return party.stayId;
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
 * Returns the stay for acts that name a guest but refer to the stay. The caller must have checked the permission.
 * @throws not_found, also for a guest in a room the caller can't see
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

/**
 * SQL of whether the occupancy `o` takes its room from a stay in that period. The arguments are parameters. Who moves
 * in now also can't join a party that is still in the room after its planned departure. The constraints
 * `occupancy_no_overlap` and `occupancy_one_in_house` refuse the same.
 */
export const takesRoomSql = (of: { startsAt: string; endsAt: string; movesInNow: string }): string =>
  `(o.state IN ('held', 'in_house') AND (tstzrange(o.starts_at, o.ends_at) && tstzrange(${of.startsAt}::timestamptz, ${of.endsAt}::timestamptz)
             OR o.state = 'in_house' AND ${of.movesInNow}::boolean))`;

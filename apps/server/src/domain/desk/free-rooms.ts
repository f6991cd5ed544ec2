import { DomainError } from "@innkey/shared/errors";
import { creditOf, type QuoteLine, totalOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/availability";
import type { FreeRoom, FreeRoomGroup, FreeRooms } from "@innkey/shared/schemas/stays/availability";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { readAccount } from "../folio/public.ts";
import {
  type LiveStay,
  netLines,
  type PricedRoom,
  priceExchange,
  priceRenewal,
  priceStay,
  readLines,
  readStay,
  takesRoomSql,
} from "../stays/public.ts";
import { priceMoved } from "./move-reservation.ts";

interface RoomRequest {
  startsAt: string;
  endsAt: string;
  movesInNow: boolean;
  /** the stay that moves, whose own booking doesn't count */
  stay: LiveStay | null;
  /** whether the stay's own room is offered too */
  offersOwnRoom: boolean;
}

interface RoomRow extends PricedRoom, Pick<FreeRoom, "remarkName" | "freeUntil"> {
  groupId: number | null;
  groupName: string;
  roomCount: number;
  free: boolean;
}

/**
 * Selects all rooms that the caller can see ($6), in the order of the board, with whether they are free for the
 * period.
 */
const ROOMS = `SELECT r.id, r.name, r.remark_name AS "remarkName", r.condition::text AS condition, p.prices,
  r.group_id AS "groupId", coalesce(g.name, '') AS "groupName",
  count(*) OVER (PARTITION BY r.group_id)::int AS "roomCount",
  NOT EXISTS (
    SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id AND ($5::int IS NULL OR o.stay_id IS DISTINCT FROM $5::int)
      AND ${takesRoomSql({ startsAt: "$2", endsAt: "$3", movesInNow: "$4" })}) AS free,
  (SELECT iso(min(o.starts_at)) FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id AND o.state = 'held'
     AND o.starts_at >= $3::timestamptz AND ($5::int IS NULL OR o.stay_id IS DISTINCT FROM $5::int)) AS "freeUntil"
  FROM room r
  LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = r.group_id
  LEFT JOIN room_prices p ON p.hotel_id = $1 AND p.room_id = r.id
  WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($6::int[] IS NULL OR r.id = ANY ($6::int[]))
  ORDER BY g.sort NULLS LAST, "groupName", r.group_id, r.sort, r.name, r.id`;

/**
 * Returns the free rooms by group. `priceOf` is called once for each set of prices, because rooms of a kind share
 * them.
 */
async function listFree(scope: Scope, request: RoomRequest, priceOf: (room: PricedRoom) => number): Promise<FreeRooms> {
  const { startsAt, endsAt, movesInNow, stay, offersOwnRoom } = request;
  const rows = await scope.sql.rows<RoomRow>(ROOMS, startsAt, endsAt, movesInNow, stay?.id ?? null, scope.roomIds);
  const prices = new Map<string, number | null>();
  const priceMinorOf = (room: RoomRow): number | null => {
    const key = JSON.stringify(room.prices);
    if (!prices.has(key))
      prices.set(
        key,
        priceOrNull(() => priceOf(room)),
      );
    return prices.get(key) ?? null;
  };
  const groups = new Map<number | null, FreeRoomGroup>();
  for (const row of rows) {
    const { groupId, groupName, roomCount } = row;
    const group = groups.get(groupId) ?? { groupId, name: groupName, roomCount, rooms: [] };
    groups.set(groupId, group);
    if (!row.free || (row.id === stay?.roomId && !offersOwnRoom)) continue;
    const { id: roomId, name, remarkName, condition, freeUntil } = row;
    const dirty = condition === "dirty";
    group.rooms.push({ roomId, name, remarkName, dirty, priceMinor: priceMinorOf(row), freeUntil });
  }
  const ownRoom = rows.find(({ id }) => id === stay?.roomId);
  return { groups: [...groups.values()], ownRoomFree: ownRoom?.free ?? null };
}

/** A room without a price for the unit is still free; its price is agreed on. */
function priceOrNull(price: () => number): number | null {
  try {
    return price();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Returns the rooms that are free for the whole period, with the price of the stay. @throws no_permission */
export async function findRooms(scope: Scope, input: z.infer<typeof schema.findRoomsInput>): Promise<FreeRooms> {
  scope.require("stays.view");
  const { startsAt, endsAt, unit, arrives } = input;
  const request = { startsAt, endsAt, movesInNow: arrives, stay: null, offersOwnRoom: true };
  return listFree(scope, request, (room) => totalOf(priceStay(room, input, unit, scope.hotel)));
}

/**
 * Returns the rooms that a stay could move to, for its own or another period, with what that would change of its bill.
 * A party in the house moves now, and its arrival can't change. @throws no_permission, not_found; state_conflict for a
 * stay that is over
 */
export async function findRoomsForStay(
  scope: Scope,
  input: z.infer<typeof schema.findRoomsForStayInput>,
): Promise<FreeRooms> {
  scope.require("stays.view");
  const stay = await readStay(scope, scope.sql, input.stayId);
  const inHouse = stay.state === "checked_in";
  if (!inHouse && stay.state !== "reserved") throw new DomainError("state_conflict", { state: stay.state });
  const startsAt = inHouse ? scope.now().toISOString() : (input.startsAt ?? stay.startsAt);
  const endsAt = input.endsAt ?? stay.endsAt;
  // A party past its departure can't move: its stay is renewed first.
  if (endsAt <= startsAt || (inHouse && stay.endsAt <= startsAt)) return { groups: [], ownRoomFree: null };
  const isOtherPeriod = !inHouse && (startsAt !== stay.startsAt || endsAt !== stay.endsAt);
  const charged = await readLines(scope.sql, stay.id);
  const { roomChargedMinor } = await readAccount(scope.sql, stay.id);
  const movesInNow = inHouse || input.arrives;
  const request = { startsAt, endsAt, movesInNow, stay, offersOwnRoom: isOtherPeriod };
  return listFree(scope, request, (room) =>
    inHouse
      ? moveAndRenewMinor(scope, room, stay, { charged, roomChargedMinor, startsAt, endsAt, unit: input.unit })
      : moveMinor(scope, room, stay, { charged, roomChargedMinor, startsAt, endsAt }),
  );
}

interface Change {
  charged: readonly QuoteLine[];
  roomChargedMinor: number;
  startsAt: string;
  endsAt: string;
}

/** Returns what moving a reservation would change of its bill, as `moveReservation` writes it. */
function moveMinor(scope: Scope, room: PricedRoom, stay: LiveStay, change: Change): number {
  const { charged, roomChargedMinor, startsAt, endsAt } = change;
  const charge = priceMoved(room, stay, charged, { startsAt, endsAt, agreedTotalMinor: null }, scope.hotel);
  return Math.max(totalOf(creditOf(charged)) + totalOf(charge), -roomChargedMinor);
}

/** Returns what a room change now, followed by a renewal until a later departure, would change of the bill. */
function moveAndRenewMinor(
  scope: Scope,
  room: PricedRoom,
  stay: LiveStay,
  { charged, roomChargedMinor, startsAt, endsAt, unit = stay.unit }: Change & { unit: LiveStay["unit"] | undefined },
): number {
  const { credit, charge, differenceMinor } = priceExchange(
    charged,
    roomChargedMinor,
    room,
    stay,
    startsAt,
    scope.hotel,
  );
  if (endsAt <= stay.endsAt) return differenceMinor;
  const after = netLines([...charged, ...credit, ...charge]);
  return differenceMinor + totalOf(priceRenewal(room, { ...stay, charged: after }, endsAt, unit, scope.hotel));
}

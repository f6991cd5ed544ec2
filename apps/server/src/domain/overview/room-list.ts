import type { RoomPageInput, RoomSort } from "@innkey/shared/schemas/property/rooms";
import { limits } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { type listGroups, pageOfRooms, ROOM_ORDERS } from "../property/public.ts";
import { type BoardReader, countStatuses } from "./board.queries.ts";

type Boards = Pick<BoardReader, "readForOverview">;
type PageRow = Awaited<ReturnType<typeof pageOfRooms>>["rows"][number];
interface Placed {
  id: number;
  lock: PageRow["lock"];
}

/**
 * Puts rooms in order and adds their locks. The order is PostgreSQL's, whose collation compares the names. $2: the rooms,
 * $3 and $4: the page.
 */
const placedSql = (sort: RoomSort): string => `WITH found AS (
    SELECT r.id, r.name, r.sort, g.name AS group_name, g.sort AS group_sort
    FROM room r LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = r.group_id
    WHERE r.hotel_id = $1 AND r.id = ANY ($2::int[])
  ), shown AS (
    SELECT id, row_number() OVER (ORDER BY ${ROOM_ORDERS[sort]}) AS place FROM found
    ORDER BY place LIMIT $3::int OFFSET $4::int
  )
  SELECT s.id, CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'mac', k.mac,
      'bluetoothName', k.bluetooth_name, 'power', k.power, 'online', k.online) END AS lock
  FROM shown s LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = s.id ORDER BY s.place`;

/**
 * Returns what `pageOfRooms` returns, with the rooms of the board in memory, at least as new as `boardVersion`. A keyword
 * is searched in the database. @throws no_permission
 */
export async function readRoomPage(
  scope: Scope,
  boards: Boards,
  boardVersion: string,
  input: RoomPageInput,
): Promise<Awaited<ReturnType<typeof pageOfRooms>>> {
  if (input.keyword !== "") return pageOfRooms(scope, input);
  scope.require("rooms.view");
  const { rooms, groups } = await boards.readForOverview(scope, boardVersion);
  const group = input.groupId ?? null;
  const candidates = group === null ? rooms : rooms.filter(({ groupId }) => groupId === group);
  const shown = new Map(
    candidates.filter(({ status }) => !input.status || status === input.status).map((room) => [room.id, room]),
  );
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const now = scope.now().toISOString();
  const placed = await scope.sql.prepared<Placed>(
    `room-page-${input.sort}`,
    placedSql(input.sort),
    [...shown.keys()],
    ...limits(input),
  );
  const rows = placed.flatMap(({ id, lock }): PageRow[] => {
    const room = shown.get(id);
    if (!room) return [];
    const { name, remarkName, groupId, status, pictureUrl, usualMinor, current, next } = room;
    const stay = { checked_in: current, reserved: next, vacant: null, dirty: null, maintenance: null }[status];
    const groupName = groupId === null ? null : (names.get(groupId) ?? null);
    const expired = status === "checked_in" && stay !== null && stay.endsAt <= now;
    return [{ id, name, remarkName, groupId, groupName, status, pictureUrl, usualMinor, stay, expired, lock }];
  });
  return { rows, total: shown.size, counts: countStatuses(candidates) };
}

/** Returns what `listGroups` returns, from the board in memory. @throws no_permission */
export async function readGroups(
  scope: Scope,
  boards: Boards,
  boardVersion: string,
): Promise<Awaited<ReturnType<typeof listGroups>>> {
  scope.require("rooms.view");
  const { rooms, groups } = await boards.readForOverview(scope, boardVersion);
  const counts = new Map<number | null, number>();
  for (const { groupId } of rooms) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return groups.map(({ id, name, sort }) => ({ id, name, sort, roomCount: counts.get(id) ?? 0 }));
}

import type { RoomPage, RoomPageInput, RoomSort } from "@innkey/shared/schemas/rooms";
import { limits } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { endOfDay } from "./hotel-day.ts";
import { ROOM_NOW } from "./room-now.ts";

/** Sort key of a name, with numbers padded so that 9 comes before 10. */
const BY_NAME = String.raw`regexp_replace(regexp_replace(lower(name), '(\d+)', '00000000000\1', 'g'), '\d*(\d{12})', '\1', 'g')`;

/** Sort orders; `default` is the board's. Ids come last, so that the order is stable across pages. */
const ORDERS: Record<RoomSort, string> = {
  default: `group_sort NULLS LAST, group_name, sort, ${BY_NAME}, id`,
  az: `${BY_NAME}, id`,
  za: `${BY_NAME} DESC, id DESC`,
  order: `sort, ${BY_NAME}, id`,
  reverse: `sort DESC, ${BY_NAME} DESC, id DESC`,
};

/**
 * Selects a page of rooms with their status, and the number of rooms per status, in one statement and so of one moment.
 * Parameters $1 to $4 as for ROOM_NOW; $5 group, $6 and $7 the keyword, plain and as a pattern, $8 status, $9 and $10
 * the page.
 */
const listSql = (sort: RoomSort): string => `WITH ${ROOM_NOW},
  found AS (
    SELECT n.*, g.name AS group_name, g.sort AS group_sort
    FROM room_now n LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
    WHERE ($5::int IS NULL OR n."groupId" = $5::int)
      AND ($6::text = '' OR n.name ILIKE $7::text OR n."remarkName" ILIKE $7::text
        OR n.current ->> 'guestName' ILIKE $7::text OR n.next ->> 'guestName' ILIKE $7::text)
  ),
  shown AS (
    SELECT f.*, CASE f.status WHEN 'checked_in' THEN f.current WHEN 'reserved' THEN f.next END AS stay,
      row_number() OVER (ORDER BY ${ORDERS[sort]}) AS place
    FROM found f WHERE $8::text IS NULL OR f.status = $8::text
    ORDER BY place LIMIT $9::int OFFSET $10::int
  )
SELECT
  (SELECT count(*)::int FROM found WHERE $8::text IS NULL OR status = $8::text) AS total,
  (SELECT json_build_object(
     'vacant', count(*) FILTER (WHERE status = 'vacant'), 'reserved', count(*) FILTER (WHERE status = 'reserved'),
     'checked_in', count(*) FILTER (WHERE status = 'checked_in'), 'dirty', count(*) FILTER (WHERE status = 'dirty'),
     'maintenance', count(*) FILTER (WHERE status = 'maintenance')) FROM found) AS counts,
  coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'remarkName', s."remarkName",
      'groupId', s."groupId", 'groupName', s.group_name, 'status', s.status, 'pictureUrl', s."pictureUrl",
      'usualMinor', s."usualMinor", 'stay', s.stay,
      'expired', s.status = 'checked_in' AND (s.stay ->> 'endsAt')::timestamptz <= $2::timestamptz,
      'lock', CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'mac', k.mac,
        'bluetoothName', k.bluetooth_name, 'power', k.power, 'online', k.online) END) ORDER BY s.place)
    FROM shown s LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = s.id), '[]') AS rows`;

/** Returns the caller's rooms with their locks and occupants. @throws no_permission */
export async function page(scope: Scope, input: RoomPageInput): Promise<RoomPage> {
  scope.require("rooms.view");
  const { keyword, sort } = input;
  const now = scope.now().toISOString();
  // PostgreSQL plans this for each call: a generic plan for any hotel and filter runs four times as long (measured with
  // 500 rooms).
  const [row] = await scope.sql.rows<RoomPage>(
    listSql(sort),
    now,
    endOfDay(now, scope.hotel.timeZone),
    scope.roomIds,
    input.groupId ?? null,
    keyword,
    `%${keyword.replace(/[\\%_]/g, "\\$&")}%`,
    input.status ?? null,
    ...limits(input),
  );
  if (!row) throw new Error("a statement without a FROM answers with one row");
  return row;
}

import type { RoomStatus } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { addDays, atLocal, type InstantIso, localDate } from "@innkey/shared/hotel-time";
import type { RoomPrices } from "@innkey/shared/price-rules";
import type { RoomDetail, RoomPage, RoomPageInput, RoomSort } from "@innkey/shared/schemas/property/rooms";
import { type HotelSql, limits } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { withDateList } from "../prices/prices.service.ts";

/** Returns the local midnight that ends the hotel's day, including days of 23 and 25 hours. */
export function endOfDay(instant: InstantIso, timeZone: string): InstantIso {
  return atLocal(addDays(localDate(instant, timeZone), 1), "00:00", timeZone);
}

/**
 * Returns a room's current status as on the board, also within a transaction. The caller must have checked access to
 * the room.
 */
export async function statusNow(scope: Scope, sql: HotelSql, roomId: number): Promise<RoomStatus> {
  const now = scope.now().toISOString();
  const [room] = await sql.prepared<{ status: RoomStatus }>(
    "room-status",
    ROOM_STATUS,
    now,
    endOfDay(now, scope.hotel.timeZone),
    roomId,
  );
  if (!room) throw new Error(`room ${roomId} doesn't exist`);
  return room.status;
}

/**
 * SQL of a room's status. No other place derives it (source: domain rules, "Room status"): checked in, else maintenance,
 * else dirty, else reserved for a party of today or overdue, else vacant. The conditions are SQL; $3 is the end of the
 * hotel-local day.
 */
const statusSql = (of: { checkedIn: string; blocked: string; condition: string; nextStartsAt: string }): string => `CASE
        WHEN ${of.checkedIn} THEN 'checked_in'
        WHEN ${of.blocked} THEN 'maintenance'
        WHEN ${of.condition} = 'dirty' THEN 'dirty'
        WHEN ${of.nextStartsAt} < $3::timestamptz THEN 'reserved'
        ELSE 'vacant'
      END`;

/** The status of room $4 alone, without all that the board shows with it; $1 to $3 as for ROOM_NOW. */
const ROOM_STATUS = `WITH live AS (SELECT * FROM occupancy WHERE hotel_id = $1 AND room_id = $4::int AND state IN ('held', 'in_house'))
  SELECT ${statusSql({
    checkedIn: "EXISTS (SELECT FROM live WHERE kind = 'stay' AND state = 'in_house')",
    blocked: `EXISTS (SELECT FROM live WHERE kind = 'maintenance' AND starts_at <= $2::timestamptz
      AND (ends_at IS NULL OR ends_at > $2::timestamptz))`,
    condition: "r.condition",
    nextStartsAt: "(SELECT min(starts_at) FROM live WHERE kind = 'stay' AND state = 'held')",
  })} AS status
  FROM room r WHERE r.hotel_id = $1 AND r.id = $4::int AND r.deleted_at IS NULL`;

/**
 * SQL of the rooms at an instant, with everything that the board shows of them.
 *
 * Common table expressions that end in `room_now`, one row per room. Parameters: $1 hotel, $2 the instant, $3 the end
 * of the hotel-local day, $4 ids of the rooms (null: all). It is text and no view, because a view can't take the
 * instant, and the board reads its intermediate table `live` too.
 */
export const ROOM_NOW = `
  live AS (
    SELECT o.room_id, o.stay_id, o.kind, o.state, o.starts_at, o.ends_at, o.note
    FROM occupancy o
    WHERE o.hotel_id = $1 AND o.state IN ('held', 'in_house')
      AND (o.kind = 'stay' OR o.ends_at IS NULL OR o.ends_at > $2::timestamptz)
      AND ($4::int[] IS NULL OR o.room_id = ANY ($4::int[]))
  ),
  party AS (
    SELECT sg.stay_id, max(sg.id) FILTER (WHERE sg."primary") AS manage_id, max(g.name) FILTER (WHERE sg."primary") AS name,
      count(*)::int AS guests
    FROM live l
    JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = l.stay_id
    JOIN guest g ON g.hotel_id = $1 AND g.id = sg.guest_id
    GROUP BY sg.stay_id
  ),
  booked AS (
    SELECT l.room_id, l.state, l.starts_at,
      row_number() OVER (PARTITION BY l.room_id, l.state ORDER BY l.starts_at) AS turn,
      row_to_json(shown) AS stay
    FROM live l
    JOIN stay s ON s.hotel_id = $1 AND s.id = l.stay_id
    JOIN party p ON p.stay_id = s.id
    CROSS JOIN LATERAL (
      SELECT s.id AS "stayId", p.manage_id AS "stayGuestId", p.name AS "guestName", p.guests AS "guestCount",
        iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", s.unit, s.breakfast
    ) shown
  ),
  rewrites AS (
    SELECT l.room_id, count(*)::int AS cards
    FROM live l JOIN card_to_rewrite w ON w.hotel_id = $1 AND w.stay_id = l.stay_id
    WHERE l.state = 'in_house' GROUP BY l.room_id
  ),
  blocked AS (
    SELECT l.room_id, json_build_object('endsAt', iso(l.ends_at), 'note', l.note) AS maintenance
    FROM live l WHERE l.kind = 'maintenance' AND l.starts_at <= $2::timestamptz
  ),
  room_now AS (
    SELECT r.id, r.name, r.remark_name AS "remarkName", r.group_id AS "groupId", r.floor, r.sort,
      ${statusSql({ checkedIn: "c.stay IS NOT NULL", blocked: "m.maintenance IS NOT NULL", condition: "r.condition", nextStartsAt: "n.starts_at" })} AS status,
      r.condition, '/files/' || r.picture_file_id AS "pictureUrl", price.usual_minor AS "usualMinor",
      CASE WHEN k.id IS NOT NULL THEN row_to_json(door) END AS lock,
      c.stay AS current, n.stay AS next, m.maintenance, coalesce(w.cards, 0) AS "cardsToRewrite"
    FROM room r
    LEFT JOIN room_price price ON price.hotel_id = $1 AND price.room_id = r.id
    LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = r.id
    LEFT JOIN LATERAL (SELECT k.id, k.power, k.online, k.configured_at IS NOT NULL AS "setUp", iso(k.blocked_out_at) AS "blockedOutAt") door ON true
    LEFT JOIN booked c ON c.room_id = r.id AND c.state = 'in_house' AND c.turn = 1
    LEFT JOIN booked n ON n.room_id = r.id AND n.state = 'held' AND n.turn = 1
    LEFT JOIN blocked m ON m.room_id = r.id
    LEFT JOIN rewrites w ON w.room_id = r.id
    WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($4::int[] IS NULL OR r.id = ANY ($4::int[]))
  )`;

/**
 * Checks the room of a filtered list, because an empty list would look valid for a room that doesn't exist. @throws
 * not_found for a room that the hotel doesn't have, or that the caller can't see
 */
export async function requireVisibleRoom(scope: Scope, roomId: number): Promise<void> {
  scope.requireRoom(roomId);
  const room = await scope.reads.room.findFirst({ where: { id: roomId }, select: { id: true } });
  if (!room) throw new DomainError("not_found");
}

/** A room as listed for programs that write cards. */
export interface DirectoryRoom {
  roomId: number;
  roomName: string;
  groupName: string | null;
  /** null: the room has no lock */
  lockMac: string | null;
  status: RoomStatus;
}

const DIRECTORY = `WITH ${ROOM_NOW}
  SELECT n.id AS "roomId", n.name AS "roomName", g.name AS "groupName", k.mac AS "lockMac", n.status
  FROM room_now n
  LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
  LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = n.id
  ORDER BY n.sort, n.id`;

/** Returns every room that the caller can see, in the board's order, with its current status. @throws no_permission */
export async function directory(scope: Scope): Promise<DirectoryRoom[]> {
  scope.require("rooms.view");
  const now = scope.now().toISOString();
  return scope.sql.rows<DirectoryRoom>(DIRECTORY, now, endOfDay(now, scope.hotel.timeZone), scope.roomIds);
}

/** Numbers of keys that open a room now: guests' and staff cards, door codes, faces. */
export interface RoomKeys {
  cards: number;
  passcodes: number;
  faces: number;
}

const countKeys = (kind: string, id: string): string => `(SELECT count(DISTINCT x.${id})::int FROM credential x
  WHERE x.hotel_id = $1 AND x.room_id = $2::int AND x.kind = '${kind}' AND x.state NOT IN ('revoking', 'revoked')
    AND (x.valid_to IS NULL OR x.valid_to > $3::timestamptz))`;

/**
 * Master key cards open every room and are not counted. @throws no_permission; not_found for a room that the caller
 * can't see
 */
export async function roomKeys(scope: Scope, roomId: number): Promise<RoomKeys> {
  scope.require("rooms.view");
  scope.requireRoom(roomId);
  const [room] = await scope.sql.rows<RoomKeys>(
    `SELECT (SELECT count(*)::int FROM card_room cr JOIN card x ON x.hotel_id = $1 AND x.id = cr.card_id
        WHERE cr.hotel_id = $1 AND cr.room_id = $2::int AND is_valid_card(x.state, x.valid_to, $3::timestamptz)) AS cards,
      ${countKeys("passcode", "passcode_id")} AS passcodes, ${countKeys("face", "face_id")} AS faces`,
    roomId,
    scope.now(),
  );
  return room ?? { cards: 0, passcodes: 0, faces: 0 };
}

/** Sort key of a name, with numbers padded so that 9 comes before 10. */
const BY_NAME = String.raw`regexp_replace(regexp_replace(lower(name), '(\d+)', '00000000000\1', 'g'), '\d*(\d{12})', '\1', 'g')`;

/** ORDER BY clauses; `default` is the board's. Ids come last, so that the order is stable across pages. */
export const ROOM_ORDERS: Record<RoomSort, string> = {
  default: `group_sort NULLS LAST, group_name, sort, ${BY_NAME}, id`,
  az: `${BY_NAME}, id`,
  za: `${BY_NAME} DESC, id DESC`,
  order: `sort, ${BY_NAME}, id`,
  reverse: `sort DESC, ${BY_NAME} DESC, id DESC`,
};

/**
 * Selects a page of rooms with their status, and the number of rooms per status, in one statement so that both are of
 * the same moment.
 * Parameters $1 to $4 as for ROOM_NOW; $5 group, $6 the keyword, a `searchQuery`, $7 status, $8 and $9 the page.
 */
const listSql = (sort: RoomSort): string => `WITH ${ROOM_NOW},
  found AS (
    SELECT n.*, g.name AS group_name, g.sort AS group_sort
    FROM room_now n LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
    WHERE ($5::int IS NULL OR n."groupId" = $5::int)
      AND ${containsWords("$6", "search_text(n.name)", 'search_text(n."remarkName")', "search_text(n.current ->> 'guestName')", "search_text(n.next ->> 'guestName')")}
  ),
  shown AS (
    SELECT f.*, CASE f.status WHEN 'checked_in' THEN f.current WHEN 'reserved' THEN f.next END AS stay,
      row_number() OVER (ORDER BY ${ROOM_ORDERS[sort]}) AS place
    FROM found f WHERE $7::text IS NULL OR f.status = $7::text
    ORDER BY place LIMIT $8::int OFFSET $9::int
  )
SELECT
  (SELECT count(*)::int FROM found WHERE $7::text IS NULL OR status = $7::text) AS total,
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

type PageRow = Omit<RoomPage["rows"][number], "stay"> & { stay: RoomDetail["current"] };

/** Returns the caller's rooms with their locks and occupants. @throws no_permission */
export async function page(scope: Scope, input: RoomPageInput): Promise<RoomPage> {
  scope.require("rooms.view");
  const { keyword, sort } = input;
  const now = scope.now().toISOString();
  // PostgreSQL plans this for each call: a generic plan for any hotel and filter runs four times as long (measured with
  // 500 rooms).
  const [row] = await scope.sql.rows<Omit<RoomPage, "rows"> & { rows: PageRow[] }>(
    listSql(sort),
    now,
    endOfDay(now, scope.hotel.timeZone),
    scope.roomIds,
    input.groupId ?? null,
    searchQuery(keyword),
    input.status ?? null,
    ...limits(input),
  );
  if (!row) throw new Error("the list of rooms returned no row");
  return row;
}

const DETAIL = `WITH ${ROOM_NOW}
  SELECT n.id, n.name, n."remarkName", n."groupId", n.floor, n.sort, n.status, n.condition, n."pictureUrl",
    n."usualMinor", n.current, n.next, n.maintenance, n."cardsToRewrite", r.description, r.bulletin, r.notice, g.name AS "groupName", r.picture_file_id AS "pictureFileId",
    CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'mac', k.mac, 'bluetoothName', k.bluetooth_name,
      'driver', k.driver, 'power', k.power, 'online', k.online, 'setUp', k.configured_at IS NOT NULL, 'blockedOutAt', iso(k.blocked_out_at), 'firmware', k.firmware, 'lastSeenAt', iso(k.last_seen_at))
    END AS lock, (SELECT p.prices FROM room_prices p WHERE p.hotel_id = $1 AND p.room_id = r.id) AS prices
  FROM room_now n
  JOIN room r ON r.hotel_id = $1 AND r.id = n.id
  LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = r.group_id
  LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = r.id`;

type DetailRow = Omit<RoomDetail, "prices"> & { prices: RoomPrices | null };

/** Returns one room with its lock, prices and current status. @throws no_permission, not_found */
export async function detail(scope: Scope, roomId: number): Promise<RoomDetail> {
  scope.require("rooms.view");
  scope.requireRoom(roomId);
  const now = scope.now().toISOString();
  const [room] = await scope.sql.rows<DetailRow>(DETAIL, now, endOfDay(now, scope.hotel.timeZone), [roomId]);
  if (!room) throw new DomainError("not_found");
  return { ...room, prices: room.prices && withDateList(room.prices) };
}

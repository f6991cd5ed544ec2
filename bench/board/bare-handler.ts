// The baseline for the board: a straightforward Fastify handler with plain `pg`, rows as objects, nesting in JavaScript
// and serialisation by Fastify. It has no sessions, permissions or versions and leaves the groups out, so it does less
// than the console's server.
import { createRequire } from "node:module";
import type { RoomCondition, StayUnit } from "../../packages/shared/src/enums.ts";
import type { BoardRoom } from "../../packages/shared/src/schemas/property/rooms.ts";

const require = createRequire(new URL("../../apps/server/package.json", import.meta.url));
const { default: Fastify } = require("fastify") as typeof import("../../apps/server/node_modules/fastify/fastify.js");
const pg = require("pg") as typeof import("pg");

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL) });
const hotelId = Number(process.env.HOTEL_ID);

const QUERY = `
  SELECT r.id, r.name, r.remark_name, r.group_id, r.floor, r.sort, r.condition, r.picture_file_id, price.usual_minor,
    k.id AS lock_id, k.power, k.online, k.configured_at, o.kind, o.state, o.ends_at AS blocked_until, o.note,
    s.id AS stay_id, s.starts_at, s.ends_at, s.unit, s.breakfast, party.manage_id, party.guest_name, party.guests
  FROM room r
  LEFT JOIN room_price price ON price.room_id = r.id
  LEFT JOIN lock k ON k.room_id = r.id
  LEFT JOIN occupancy o ON o.room_id = r.id AND o.state IN ('held', 'in_house')
    AND (o.kind = 'stay' OR o.starts_at <= $2 AND (o.ends_at IS NULL OR o.ends_at > $2))
  LEFT JOIN stay s ON s.id = o.stay_id
  LEFT JOIN (
    SELECT sg.stay_id, max(sg.id) FILTER (WHERE sg."primary") AS manage_id,
      max(g.name) FILTER (WHERE sg."primary") AS guest_name, count(*)::int AS guests
    FROM occupancy o JOIN stay_guest sg ON sg.stay_id = o.stay_id JOIN guest g ON g.id = sg.guest_id
    WHERE o.hotel_id = $1 AND o.state IN ('held', 'in_house')
    GROUP BY sg.stay_id
  ) party ON party.stay_id = s.id
  WHERE r.hotel_id = $1 AND r.deleted_at IS NULL
  ORDER BY r.sort, r.id, o.starts_at`;

interface Row {
  id: number;
  name: string;
  remark_name: string;
  group_id: number | null;
  floor: number;
  sort: number;
  condition: RoomCondition;
  picture_file_id: string | null;
  usual_minor: number | null;
  lock_id: number | null;
  power: number | null;
  online: boolean;
  configured_at: Date | null;
  kind: string | null;
  state: string | null;
  blocked_until: Date | null;
  note: string;
  stay_id: number;
  starts_at: Date;
  ends_at: Date;
  unit: StayUnit;
  breakfast: boolean;
  manage_id: number;
  guest_name: string;
  guests: number;
}

/**
 * A room of the product's board before serialisation, where instants are still dates. Both answers are compared field
 * by field, so the compiler rejects this handler if it lacks a field that the board has gained.
 */
type BeforeJson<Value> = Value extends string
  ? Value | Date
  : Value extends object
    ? { [Field in keyof Value]: BeforeJson<Value[Field]> }
    : Value;
type BareRoom = BeforeJson<BoardRoom>;

const stayOf = (row: Row): NonNullable<BareRoom["current"]> => ({
  stayId: row.stay_id,
  stayGuestId: row.manage_id,
  guestName: row.guest_name,
  guestCount: row.guests,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  unit: row.unit,
  breakfast: row.breakfast,
});

const roomOf = (row: Row): BareRoom => ({
  id: row.id,
  name: row.name,
  remarkName: row.remark_name,
  groupId: row.group_id,
  floor: row.floor,
  sort: row.sort,
  status: "vacant",
  condition: row.condition,
  pictureUrl: row.picture_file_id && `/files/${row.picture_file_id}`,
  usualMinor: row.usual_minor,
  lock:
    row.lock_id === null
      ? null
      : {
          id: row.lock_id,
          power: row.power,
          online: row.online,
          setUp: row.configured_at !== null,
          blockedOutAt: null,
        },
  current: null,
  next: null,
  maintenance: null,
  cardsToRewrite: 0,
});

const app = Fastify();
app.get<{ Querystring: { today: string } }>("/board", async (request) => {
  const { rows } = await pool.query<Row>(QUERY, [hotelId, new Date()]);
  const endOfDay = new Date(request.query.today);
  const rooms = new Map<number, BareRoom>();
  for (const row of rows) {
    const room = rooms.get(row.id) ?? roomOf(row);
    rooms.set(row.id, room);
    if (row.kind === "maintenance") room.maintenance = { endsAt: row.blocked_until, note: row.note };
    else if (row.state === "in_house") room.current = stayOf(row);
    else if (row.state === "held") room.next ??= stayOf(row);
  }
  for (const room of rooms.values()) {
    if (room.current) room.status = "checked_in";
    else if (room.maintenance) room.status = "maintenance";
    else if (room.condition === "dirty") room.status = "dirty";
    else if (room.next && room.next.startsAt < endOfDay) room.status = "reserved";
  }
  return { rooms: [...rooms.values()] };
});

console.log(`ready at ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));

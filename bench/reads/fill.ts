import assert from "node:assert/strict";
import { fillHotels } from "../growth/fill-hotels.ts";
import { withClient } from "../measuring/world.ts";

/** A filled hotel as it is measured. */
export interface Filled {
  hotelId: number;
  rooms: number;
  stays: number;
  guests: number;
}

/** Stays and guests for each room: those of a hotel of 60 rooms with 328 stays and 526 guests. */
const STAYS_A_ROOM = 328 / 60;
const GUESTS_A_ROOM = 526 / 60;
const PAST_STAYS = 2;

/** Each room's next reservations, one every five days, until the hotel has $1 stays. */
const RESERVATIONS = `WITH missing AS (SELECT greatest(0, $1::int - count(*)) AS stays FROM stay),
  planned AS (
    SELECT nextval('stay_id_seq')::int AS stay_id, nextval('guest_id_seq')::int AS guest_id, p.*
    FROM (SELECT r.hotel_id, r.id AS room_id, date_trunc('hour', now()) + k * interval '5 days' + r.sort % 7 * interval '1 hour' AS starts_at
          FROM room r CROSS JOIN generate_series(1, 4) AS k ORDER BY k, r.sort LIMIT (SELECT stays FROM missing)) p
  ),
  people AS (
    INSERT INTO guest (id, hotel_id, name, mobile, nationality, gender)
    SELECT guest_id, hotel_id, 'Guest ' || guest_id, '+49' || 1500000000 + guest_id, 'DE', 'female' FROM planned
  ),
  stays AS (
    INSERT INTO stay (id, hotel_id, state, unit, starts_at, ends_at)
    SELECT stay_id, hotel_id, 'reserved', 'day', starts_at, starts_at + interval '3 days' FROM planned
  ),
  rooms AS (
    INSERT INTO occupancy (hotel_id, room_id, stay_id, state, starts_at, ends_at)
    SELECT hotel_id, room_id, stay_id, 'held', starts_at, starts_at + interval '3 days' FROM planned
  )
  INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary") SELECT hotel_id, stay_id, guest_id, true FROM planned`;

/** A second guest for some stays, until the hotel has $1 guests. */
const COMPANIONS = `WITH missing AS (SELECT greatest(0, $1::int - count(*)) AS guests FROM guest),
  planned AS (
    SELECT nextval('guest_id_seq')::int AS guest_id, s.hotel_id, s.id AS stay_id
    FROM (SELECT * FROM stay ORDER BY id DESC LIMIT (SELECT guests FROM missing)) s
  ),
  people AS (
    INSERT INTO guest (id, hotel_id, name) SELECT guest_id, hotel_id, 'Companion ' || guest_id FROM planned
  )
  INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary") SELECT hotel_id, stay_id, guest_id, false FROM planned`;

/** Fills an empty database with one hotel that has as many stays and guests for each room as a hotel of 60 rooms. */
export function fillReads(url: string, rooms: number): Promise<Filled> {
  return withClient(url, async (client) => {
    const [hotelId] = await fillHotels(client, { hotels: 1, rooms, pastStays: PAST_STAYS });
    assert.ok(hotelId);
    await client.query("SET session_replication_role = replica");
    await client.query(RESERVATIONS, [Math.round(rooms * STAYS_A_ROOM)]);
    await client.query(COMPANIONS, [Math.round(rooms * GUESTS_A_ROOM)]);
    await client.query("RESET ALL");
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
    const { rows } = await client.query<{ stays: number; guests: number }>(
      "SELECT (SELECT count(*)::int FROM stay) AS stays, (SELECT count(*)::int FROM guest) AS guests",
    );
    assert.ok(rows[0]);
    return { hotelId, rooms, ...rows[0] };
  });
}

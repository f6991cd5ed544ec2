import assert from "node:assert/strict";
import type pg from "pg";

/** The rows of a filled database that the operations use, always those of the first hotel. */
export interface Ground {
  hotelId: number;
  /** the room with the most records */
  roomId: number;
  /** a room without stays or reservations */
  freeRoomId: number;
  lock: { hotelId: number; mac: string };
  /** cursors in the middle of the room's records and of the hotel's refused cards */
  roomCursor: string;
  hotelCursor: string;
  /** hotel-local dates */
  today: string;
  tomorrow: string;
  monthAgo: string;
  /** the period of the records to export, which are the newest */
  exportFrom: string;
  newest: string;
}

const MIDDLE = `SELECT iso(at) || '_' || id AS cursor FROM unlock_record
  WHERE hotel_id = $1 AND at <= (SELECT min(at) + (max(at) - min(at)) / 2 FROM unlock_record WHERE hotel_id = $1)`;
const NEWEST = "ORDER BY at DESC, id DESC LIMIT 1";
const DAY_MS = 86_400_000;

export async function readGround(client: pg.ClientBase, hotelId: number, exported: number): Promise<Ground> {
  const one = async <T>(text: string, ...values: unknown[]): Promise<T> => {
    const { rows } = await client.query<{ value: T }>(text, [hotelId, ...values]);
    assert.ok(rows[0], text);
    return rows[0].value;
  };
  const roomId = await one<number>("SELECT room_id AS value FROM lock WHERE hotel_id = $1 ORDER BY id LIMIT 1");
  const ids = await one<{ id: number; mac: string }>(
    "SELECT json_build_object('id', id, 'mac', mac) AS value FROM lock WHERE hotel_id = $1 ORDER BY id OFFSET 1 LIMIT 1",
  );
  const middle = (condition: string): Promise<string> =>
    one(`SELECT cursor AS value FROM (${MIDDLE} AND ${condition} ${NEWEST}) newest`);
  const instant = (text: string): Promise<string> => one(`SELECT iso(${text}) AS value FROM hotel WHERE id = $1`);
  const now = Date.now();
  return {
    hotelId,
    roomId,
    freeRoomId: await one("SELECT min(id) AS value FROM room WHERE hotel_id = $1 AND sort % 10 = 8"),
    lock: { hotelId, mac: ids.mac },
    roomCursor: await middle(`room_id = ${roomId}`),
    hotelCursor: await middle("NOT success AND style = 'card'"),
    today: await one("SELECT to_char(now() AT TIME ZONE time_zone, 'YYYY-MM-DD') AS value FROM hotel WHERE id = $1"),
    tomorrow: new Date(now + DAY_MS).toISOString(),
    monthAgo: new Date(now - 30 * DAY_MS).toISOString(),
    exportFrom: await instant(`(SELECT min(at) FROM (SELECT at FROM unlock_record WHERE hotel_id = ${hotelId}
      ORDER BY at DESC, id DESC LIMIT ${exported}) newest)`),
    newest: new Date(now).toISOString(),
  };
}

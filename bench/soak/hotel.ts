import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";

export interface Stay {
  stayId: number;
  roomId: number;
  endsAt: string;
}

const DAY_MS = 86_400_000;

/** The desks' own view of the hotel: rooms and stays that no desk is working on at the moment. */
export class SoakHotel {
  readonly vacant: number[] = [];
  readonly dirty: number[] = [];
  readonly stays: Stay[] = [];
  /** rooms with a lock and a stay, including those that a desk is working on */
  readonly rooms: number[] = [];

  static async read({ pool }: Database, hotelId: number): Promise<SoakHotel> {
    const hotel = new SoakHotel();
    const { rows } = await pool.query<{ roomId: number; stayId: number | null; endsAt: Date; state: string | null }>(
      `SELECT r.id AS "roomId", o.stay_id AS "stayId", o.ends_at AS "endsAt", o.state::text AS state
         FROM room r LEFT JOIN occupancy o ON o.room_id = r.id AND o.state IN ('held', 'in_house')
        WHERE r.hotel_id = $1 ORDER BY r.id`,
      [hotelId],
    );
    for (const { roomId, stayId, endsAt, state } of rows) {
      hotel.rooms.push(roomId);
      if (stayId === null) hotel.vacant.push(roomId);
      else if (state === "in_house") hotel.stays.push({ stayId, roomId, endsAt: endsAt.toISOString() });
    }
    return hotel;
  }

  /** Removes a random item from a list, so that only one desk works on it; undefined if the list is empty. */
  take<T>(list: T[]): T | undefined {
    const at = Math.floor(Math.random() * list.length);
    const last = list.pop();
    if (last === undefined || at >= list.length) return last;
    const item = list[at];
    list[at] = last;
    return item;
  }

  any<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(Math.random() * list.length)];
  }
}

/** Returns a period from now until noon, one to four days later. */
export function period(): { startsAt: string; endsAt: string } {
  const end = new Date(Date.now() + (1 + Math.floor(Math.random() * 4)) * DAY_MS);
  end.setUTCHours(12, 0, 0, 0);
  return { startsAt: new Date().toISOString(), endsAt: end.toISOString() };
}

export const dayLater = (instant: string): string => new Date(Date.parse(instant) + DAY_MS).toISOString();

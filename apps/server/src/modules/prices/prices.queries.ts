import type { RoomPrices } from "@innkey/shared/quote";
import type { HotelSql } from "../../core/hotel-database.ts";

/** What SQL says of a room `r`'s prices: the shape of RoomPrices, or null for a room without prices. */
export const ROOM_PRICES_JSON = `
  (SELECT jsonb_build_object('depositMinor', p.deposit_minor, 'usualMinor', p.usual_minor, 'weekendMinor', p.weekend_minor,
     'renewalMinor', p.renewal_minor, 'hourMinor', p.hour_minor, 'monthMinor', p.month_minor, 'yearMinor', p.year_minor,
     'dates', coalesce((SELECT jsonb_object_agg(to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM room_price_date d
                        WHERE d.hotel_id = p.hotel_id AND d.room_id = p.room_id), '{}'))
   FROM room_price p WHERE p.hotel_id = r.hotel_id AND p.room_id = r.id)`;

/** The prices of rooms in minor units; a room without prices has no entry. */
export async function roomPrices(sql: HotelSql, roomIds: readonly number[]): Promise<Map<number, RoomPrices>> {
  const rows = await sql.rows<{ id: number; prices: RoomPrices | null }>(
    `SELECT r.id, ${ROOM_PRICES_JSON} AS prices FROM room r WHERE r.hotel_id = $1 AND r.id = ANY ($2::int[])`,
    roomIds,
  );
  return new Map(rows.flatMap(({ id, prices }) => (prices ? [[id, prices] as const] : [])));
}

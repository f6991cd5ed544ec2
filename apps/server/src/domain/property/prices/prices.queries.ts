import type { RoomPrices } from "@innkey/shared/quote";
import type { PricesInput } from "@innkey/shared/schemas/property/rooms";
import type { HotelSql } from "../../../kernel/hotel-database.ts";

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

/** The templates that rooms' prices came from; a room whose prices were set by hand has no entry. */
export async function roomTemplates(sql: HotelSql, roomIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql.rows<{ id: number; templateId: number }>(
    `SELECT room_id AS id, template_id AS "templateId" FROM room_price
      WHERE hotel_id = $1 AND room_id = ANY ($2::int[]) AND template_id IS NOT NULL`,
    roomIds,
  );
  return new Map(rows.map(({ id, templateId }) => [id, templateId]));
}

/** A list of dates by date, as forms have it. */
export function withDateList({ dates, ...prices }: RoomPrices): PricesInput {
  const list = Object.entries(dates).map(([date, priceMinor]) => ({ date, priceMinor }));
  return { ...prices, dates: list.sort((a, b) => (a.date < b.date ? -1 : 1)) };
}

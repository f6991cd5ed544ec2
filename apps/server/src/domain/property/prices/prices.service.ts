import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import { majorUnit } from "@innkey/shared/money";
import type { RoomPrices } from "@innkey/shared/price-rules";
import type { PricesInput, SetPricesInput } from "@innkey/shared/schemas/property/rooms";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { lockRooms } from "../rooms/write-rooms.ts";

/** Returns the prices of rooms in minor units; a room without prices has no entry. */
export async function roomPrices(sql: HotelSql, roomIds: readonly number[]): Promise<Map<number, RoomPrices>> {
  const rows = await sql.rows<{ roomId: number; prices: RoomPrices }>(
    `SELECT room_id AS "roomId", prices FROM room_prices WHERE hotel_id = $1 AND room_id = ANY ($2::int[])`,
    roomIds,
  );
  return new Map(rows.map(({ roomId, prices }) => [roomId, prices]));
}

/** Returns the templates that rooms' prices came from; a room whose prices were entered by hand has no entry. */
export async function roomTemplates(sql: HotelSql, roomIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql.rows<{ id: number; templateId: number }>(
    `SELECT room_id AS id, template_id AS "templateId" FROM room_price
      WHERE hotel_id = $1 AND room_id = ANY ($2::int[]) AND template_id IS NOT NULL`,
    roomIds,
  );
  return new Map(rows.map(({ id, templateId }) => [id, templateId]));
}

/** Returns the prices as forms have them: with a list of dates, sorted. */
export function withDateList({ dates, ...prices }: RoomPrices): PricesInput {
  const list = Object.entries(dates).map(([date, priceMinor]) => ({ date, priceMinor }));
  return { ...prices, dates: list.sort((a, b) => (a.date < b.date ? -1 : 1)) };
}

/**
 * Gives rooms the same prices; their specific dates are replaced by those of the input. Existing charges don't change.
 * @throws no_permission, not_found; invalid_input for a price under one major unit (source: specification, section 5)
 */
export async function setPrices(scope: Scope, { roomIds, prices }: SetPricesInput): Promise<{ updated: number }> {
  scope.require("prices.manage");
  checkMinimum(prices, majorUnit(scope.hotel.currency));
  const updated = await scope.write((tx) => writePrices(scope, tx, roomIds, withDatesByDay(prices), null));
  return { updated };
}

const NIGHT_AND_UNIT_PRICES = [
  "usualMinor",
  "weekendMinor",
  "renewalMinor",
  "hourMinor",
  "monthMinor",
  "yearMinor",
] as const;

/** @throws invalid_input for a price under `minimum`, one major unit (source: specification, section 5) */
export function checkMinimum(prices: PricesInput, minimum: number): void {
  const fields: Record<string, FieldMessage> = {};
  const check = (path: string, price: number | null): void => {
    if (price !== null && price < minimum) fields[`prices.${path}`] = { key: "validation.price" };
  };
  for (const name of NIGHT_AND_UNIT_PRICES) check(name, prices[name]);
  prices.dates.forEach(({ priceMinor }, index) => {
    check(`dates.${index}.priceMinor`, priceMinor);
  });
  if (Object.keys(fields).length > 0) throw new DomainError("invalid_input", {}, fields);
}

export function withDatesByDay(prices: PricesInput): RoomPrices {
  return { ...prices, dates: Object.fromEntries(prices.dates.map(({ date, priceMinor }) => [date, priceMinor])) };
}

/**
 * Returns the prices as one level of fields for the audit log, a price of a date under the date; `old` names dates that
 * may have been removed.
 */
export function flatPrices({ dates, ...prices }: RoomPrices, old?: RoomPrices): Record<string, number | null> {
  const removedDates = Object.fromEntries(Object.keys(old?.dates ?? {}).map((date) => [date, null]));
  return { ...prices, ...removedDates, ...dates };
}

/** Returns the changes from `before` to `after` for the audit log; null if there are none. */
export function priceChanges(before: RoomPrices | undefined, after: RoomPrices): ReturnType<typeof changesOf> {
  return before ? changesOf(flatPrices(before), flatPrices(after, before)) : { before: {}, after: flatPrices(after) };
}

/**
 * Writes the prices to the rooms. `templateId`: where they were copied from; null: entered by hand. A room with equal
 * prices keeps its template. Returns how many changed. @throws not_found
 */
export async function writePrices(
  scope: Scope,
  tx: Transaction,
  roomIds: readonly number[],
  after: RoomPrices,
  templateId: number | null,
): Promise<number> {
  const rooms = await lockRooms(scope, tx, roomIds);
  const before = await roomPrices(tx.sql, roomIds);
  const templates = await roomTemplates(tx.sql, roomIds);
  const changed = rooms.flatMap(({ id }) => {
    const prices = priceChanges(before.get(id), after);
    const old = templates.get(id) ?? null;
    const hasNewTemplate = old !== templateId && (prices !== null || templateId !== null);
    if (!prices && !hasNewTemplate) return [];
    return [
      {
        id,
        before: { ...prices?.before, ...(hasNewTemplate && { templateId: old }) },
        after: { ...prices?.after, ...(hasNewTemplate && { templateId }) },
      },
    ];
  });
  if (changed.length === 0) return 0;
  const ids = changed.map(({ id }) => id);
  await writePriceRows(tx, ids, after, templateId);
  await writePriceDates(tx, ids, after.dates);
  for (const { id, ...changes } of changed) {
    tx.audit({ action: "room.prices", entity: "room", entityId: id, ...changes });
  }
  tx.boardChanged(ids);
  return changed.length;
}

async function writePriceRows(
  tx: Transaction,
  roomIds: readonly number[],
  prices: RoomPrices,
  templateId: number | null,
): Promise<void> {
  await tx.sql.rows(
    `INSERT INTO room_price (room_id, hotel_id, deposit_minor, usual_minor, weekend_minor, renewal_minor, hour_minor,
                             month_minor, year_minor, template_id)
     SELECT id, $1, $3::int, $4::int, $5::int, $6::int, $7::int, $8::int, $9::int, $10::int
       FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[])
     ON CONFLICT (room_id) DO UPDATE SET deposit_minor = excluded.deposit_minor, usual_minor = excluded.usual_minor,
       weekend_minor = excluded.weekend_minor, renewal_minor = excluded.renewal_minor, hour_minor = excluded.hour_minor,
       month_minor = excluded.month_minor, year_minor = excluded.year_minor, template_id = excluded.template_id`,
    roomIds,
    prices.depositMinor,
    prices.usualMinor,
    prices.weekendMinor,
    prices.renewalMinor,
    prices.hourMinor,
    prices.monthMinor,
    prices.yearMinor,
    templateId,
  );
}

async function writePriceDates(tx: Transaction, roomIds: readonly number[], dates: RoomPrices["dates"]): Promise<void> {
  await tx.db.roomPriceDate.deleteMany({ where: { roomId: { in: [...roomIds] } } });
  await tx.sql.rows(
    `INSERT INTO room_price_date (hotel_id, room_id, date, price_minor)
     SELECT $1, r.id, d.date, d.price_minor
       FROM room r, unnest($3::date[], $4::int[]) AS d (date, price_minor)
      WHERE r.hotel_id = $1 AND r.id = ANY ($2::int[])`,
    roomIds,
    Object.keys(dates),
    Object.values(dates),
  );
}

import { DomainError } from "@innkey/shared/errors";
import { localDate } from "@innkey/shared/hotel-time";
import type { RoomPrices } from "@innkey/shared/quote";
import type {
  PlainPrices,
  TemplateInfo,
  TemplatePreview,
  TemplateRooms,
  TemplateRow,
} from "@innkey/shared/schemas/property/price-templates";
import type { Scope } from "../../../kernel/scope.ts";
import { roomPrices, roomTemplates, withDateList } from "./prices.queries.ts";
import { priceChanges } from "./write-prices.ts";

/** What SQL says of a template `t`: the shape of RoomPrices. */
export const TEMPLATE_PRICES_JSON = `
  jsonb_build_object('depositMinor', t.deposit_minor, 'usualMinor', t.usual_minor, 'weekendMinor', t.weekend_minor,
    'renewalMinor', t.renewal_minor, 'hourMinor', t.hour_minor, 'monthMinor', t.month_minor, 'yearMinor', t.year_minor,
    'dates', coalesce((SELECT jsonb_object_agg(to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM price_template_date d
                       WHERE d.hotel_id = t.hotel_id AND d.template_id = t.id), '{}'))`;

const TEMPLATE_ROOMS = `
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.sort, r.id)
            FROM room_price p JOIN room r ON r.hotel_id = p.hotel_id AND r.id = p.room_id AND r.deleted_at IS NULL
            WHERE p.hotel_id = t.hotel_id AND p.template_id = t.id), '[]')`;

/** The hotel's templates by name, with the rooms that have their prices from them. @throws no_permission */
export async function list(scope: Scope): Promise<TemplateRow[]> {
  scope.require("prices.manage");
  return scope.sql.rows<TemplateRow>(
    `SELECT t.id, t.name, t.deposit_minor AS "depositMinor", t.usual_minor AS "usualMinor",
       t.weekend_minor AS "weekendMinor", ${TEMPLATE_ROOMS} AS rooms,
       (SELECT count(*)::int FROM price_template_date d
         WHERE d.hotel_id = $1 AND d.template_id = t.id AND d.date >= $2::date) AS "dateCount"
     FROM price_template t WHERE t.hotel_id = $1 ORDER BY lower(t.name), t.id`,
    localDate(scope.now().toISOString(), scope.hotel.timeZone),
  );
}

interface Template {
  id: number;
  name: string;
  prices: RoomPrices;
  rooms: TemplateInfo["rooms"];
}

async function template(scope: Scope, templateId: number): Promise<Template> {
  const [row] = await scope.sql.rows<Template>(
    `SELECT t.id, t.name, ${TEMPLATE_PRICES_JSON} AS prices, ${TEMPLATE_ROOMS} AS rooms
       FROM price_template t WHERE t.hotel_id = $1 AND t.id = $2::int`,
    templateId,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/** @throws no_permission, not_found */
export async function info(scope: Scope, templateId: number): Promise<TemplateInfo> {
  scope.require("prices.manage");
  const existing = await template(scope, templateId);
  return { ...existing, prices: withDateList(existing.prices) };
}

/** What putting a template on rooms would change, room by room as they are sorted. @throws no_permission, not_found */
export async function preview(scope: Scope, { templateId, roomIds }: TemplateRooms): Promise<TemplatePreview> {
  scope.require("prices.manage");
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const { prices: after } = await template(scope, templateId);
  const rooms = await scope.sql.rows<{ id: number; name: string }>(
    "SELECT id, name FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL ORDER BY sort, id",
    roomIds,
  );
  if (rooms.length !== new Set(roomIds).size) throw new DomainError("not_found");
  const before = await roomPrices(scope.sql, roomIds);
  return {
    after: plain(after),
    rooms: rooms.map(({ id, name }) => {
      const old = before.get(id);
      return {
        roomId: id,
        roomName: name,
        before: old ? plain(old) : null,
        datesChanged: differentDates(old?.dates ?? {}, after.dates),
        changes: priceChanges(old, after) !== null,
      };
    }),
  };
}

function plain({ dates, ...prices }: RoomPrices): PlainPrices {
  return { ...prices, dateCount: Object.keys(dates).length };
}

function differentDates(before: RoomPrices["dates"], after: RoomPrices["dates"]): number {
  const dates = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...dates].filter((date) => before[date] !== after[date]).length;
}

/** The template a room's prices came from; null if they were set by hand. @throws no_permission, not_found */
export async function findRoomTemplate(
  scope: Scope,
  roomId: number,
): Promise<{ id: number; name: string; same: boolean } | null> {
  scope.require("rooms.view");
  scope.requireRoom(roomId);
  const room = await scope.reads.room.findFirst({ where: { id: roomId, deletedAt: null }, select: { id: true } });
  if (!room) throw new DomainError("not_found");
  const templateId = (await roomTemplates(scope.sql, [roomId])).get(roomId);
  if (templateId === undefined) return null;
  const { id, name, prices } = await template(scope, templateId);
  const own = (await roomPrices(scope.sql, [roomId])).get(roomId);
  return { id, name, same: priceChanges(own, prices) === null };
}

import { DomainError } from "@innkey/shared/errors";
import { localDate } from "@innkey/shared/hotel-time";
import { majorUnit } from "@innkey/shared/money";
import type { RoomPrices } from "@innkey/shared/price-rules";
import type {
  PlainPrices,
  TemplateInfo,
  TemplateInput,
  TemplatePreview,
  TemplateRooms,
  TemplateRow,
} from "@innkey/shared/schemas/property/price-templates";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import {
  checkMinimum,
  flatPrices,
  priceChanges,
  roomPrices,
  roomTemplates,
  withDateList,
  withDatesByDay,
  writePrices,
} from "./prices.service.ts";

/** SQL expression: prices of template `t` as RoomPrices JSON. */
export const TEMPLATE_PRICES_JSON = `
  jsonb_build_object('depositMinor', t.deposit_minor, 'usualMinor', t.usual_minor, 'weekendMinor', t.weekend_minor,
    'renewalMinor', t.renewal_minor, 'hourMinor', t.hour_minor, 'monthMinor', t.month_minor, 'yearMinor', t.year_minor,
    'dates', coalesce((SELECT jsonb_object_agg(to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM price_template_date d
                       WHERE d.hotel_id = t.hotel_id AND d.template_id = t.id), '{}'))`;

const TEMPLATE_ROOMS = `
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.sort, r.id)
            FROM room_price p JOIN room r ON r.hotel_id = p.hotel_id AND r.id = p.room_id AND r.deleted_at IS NULL
            WHERE p.hotel_id = t.hotel_id AND p.template_id = t.id), '[]')`;

/** Returns the hotel's templates by name, with the rooms whose prices came from them. @throws no_permission */
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

async function readTemplate(scope: Scope, templateId: number): Promise<Template> {
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
  const existing = await readTemplate(scope, templateId);
  return { ...existing, prices: withDateList(existing.prices) };
}

/** Returns what applying a template would change, by room in the board's order. @throws no_permission, not_found */
export async function preview(scope: Scope, { templateId, roomIds }: TemplateRooms): Promise<TemplatePreview> {
  scope.require("prices.manage");
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const { prices: after } = await readTemplate(scope, templateId);
  const rooms = await scope.sql.rows<{ id: number; name: string }>(
    "SELECT id, name FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL ORDER BY sort, id",
    roomIds,
  );
  if (rooms.length !== new Set(roomIds).size) throw new DomainError("not_found");
  const before = await roomPrices(scope.sql, roomIds);
  return {
    after: withDateCount(after),
    rooms: rooms.map(({ id, name }) => {
      const old = before.get(id);
      return {
        roomId: id,
        roomName: name,
        before: old ? withDateCount(old) : null,
        datesChanged: countChangedDates(old?.dates ?? {}, after.dates),
        changes: priceChanges(old, after) !== null,
      };
    }),
  };
}

function withDateCount({ dates, ...prices }: RoomPrices): PlainPrices {
  return { ...prices, dateCount: Object.keys(dates).length };
}

function countChangedDates(before: RoomPrices["dates"], after: RoomPrices["dates"]): number {
  const dates = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...dates].filter((date) => before[date] !== after[date]).length;
}

/**
 * Returns the template that a room's prices came from, null if they were entered by hand. `same`: the room still has
 * the template's current prices. @throws no_permission, not_found
 */
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
  const { id, name, prices } = await readTemplate(scope, templateId);
  const own = (await roomPrices(scope.sql, [roomId])).get(roomId);
  return { id, name, same: priceChanges(own, prices) === null };
}

type TemplateRef = { templateId: number };

interface LockedTemplate {
  name: string;
  prices: RoomPrices;
}

/** Selects the template FOR UPDATE; locked until the transaction ends. @throws not_found */
async function selectTemplateForUpdate(tx: Transaction, templateId: number): Promise<LockedTemplate> {
  await tx.sql.rows("SELECT id FROM price_template WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", templateId);
  const [row] = await tx.sql.rows<LockedTemplate>(
    `SELECT t.name, ${TEMPLATE_PRICES_JSON} AS prices FROM price_template t WHERE t.hotel_id = $1 AND t.id = $2::int`,
    templateId,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/**
 * Creates a template, or changes the one with `input.id`. Rooms keep the prices copied from it until it is applied again.
 * @throws no_permission, not_found; name_taken; invalid_input for a price under one major unit
 */
export async function save(scope: Scope, { id, name, prices }: TemplateInput): Promise<TemplateRef> {
  scope.require("prices.manage");
  checkMinimum(prices, majorUnit(scope.hotel.currency));
  return scope.write(async (tx) => {
    const before = id === undefined ? null : await selectTemplateForUpdate(tx, id);
    await checkName(tx, name, id);
    const { dates, ...data } = prices;
    const after = withDatesByDay(prices);
    const templateId = id ?? (await create(scope, tx, { name, ...data }));
    const entry = { entity: "priceTemplate", entityId: templateId };
    if (before) {
      const changes = priceChanges(before.prices, after);
      if (!changes && before.name === name) return { templateId };
      await tx.db.priceTemplate.updateMany({ where: { id: templateId }, data: { name, ...data } });
      await tx.db.priceTemplateDate.deleteMany({ where: { templateId } });
      tx.audit({
        action: "priceTemplate.update",
        ...entry,
        before: { ...(before.name !== name && { name: before.name }), ...changes?.before },
        after: { ...(before.name !== name && { name }), ...changes?.after },
      });
    } else tx.audit({ action: "priceTemplate.create", ...entry, after: { name, ...flatPrices(after) } });
    await tx.db.priceTemplateDate.createMany({
      data: dates.map(({ date, priceMinor }) => ({
        hotelId: scope.hotelId,
        templateId,
        date: new Date(date),
        priceMinor,
      })),
    });
    return { templateId };
  });
}

async function create(
  scope: Scope,
  tx: Transaction,
  data: { name: string } & Omit<TemplateInput["prices"], "dates">,
): Promise<number> {
  const created = await tx.db.priceTemplate.create({
    data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
    select: { id: true },
  });
  return created.id;
}

async function checkName(tx: Transaction, name: string, id: number | undefined): Promise<void> {
  const namesake = await tx.db.priceTemplate.findFirst({ where: { name }, select: { id: true } });
  if (namesake && namesake.id !== id) {
    throw new DomainError("name_taken", { name }, { name: { key: "validation.nameTaken" } });
  }
}

/** Deletes a template. Rooms keep its prices, as if entered by hand. @throws no_permission, not_found */
export async function remove(scope: Scope, templateId: number): Promise<TemplateRef> {
  scope.require("prices.manage");
  return scope.write(async (tx) => {
    const { name } = await selectTemplateForUpdate(tx, templateId);
    const { count } = await tx.db.roomPrice.updateMany({ where: { templateId }, data: { templateId: null } });
    await tx.db.priceTemplate.deleteMany({ where: { id: templateId } });
    tx.audit({
      action: "priceTemplate.remove",
      entity: "priceTemplate",
      entityId: templateId,
      before: { name, rooms: count },
    });
    return { templateId };
  });
}

/**
 * Copies the template's current prices to the rooms, all or none. Existing quotes and charges don't change.
 * @throws no_permission; not_found for the template or one of the rooms
 */
export async function apply(
  scope: Scope,
  { templateId, roomIds }: TemplateRooms,
): Promise<{ updated: number; unchanged: number }> {
  scope.require("prices.manage");
  return scope.write(async (tx) => {
    const { name, prices } = await selectTemplateForUpdate(tx, templateId);
    const updated = await writePrices(scope, tx, roomIds, prices, templateId);
    if (updated > 0) {
      tx.audit({
        action: "priceTemplate.apply",
        entity: "priceTemplate",
        entityId: templateId,
        after: { name, rooms: updated },
      });
    }
    return { updated, unchanged: new Set(roomIds).size - updated };
  });
}

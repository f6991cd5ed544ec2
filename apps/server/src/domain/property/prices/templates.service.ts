import { DomainError } from "@innkey/shared/errors";
import { majorUnit } from "@innkey/shared/money";
import type { RoomPrices } from "@innkey/shared/quote";
import type { TemplateInput, TemplateRooms } from "@innkey/shared/schemas/property/price-templates";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { TEMPLATE_PRICES_JSON } from "./templates.queries.ts";
import { checkMinimum, flatPrices, priceChanges, withDatesByDay, writePrices } from "./write-prices.ts";

type TemplateRef = { templateId: number };

interface TemplateRow {
  name: string;
  prices: RoomPrices;
}

/** The template, held until the unit ends. @throws not_found */
async function holdTemplate(tx: Transaction, templateId: number): Promise<TemplateRow> {
  await tx.sql.rows("SELECT id FROM price_template WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", templateId);
  const [row] = await tx.sql.rows<TemplateRow>(
    `SELECT t.name, ${TEMPLATE_PRICES_JSON} AS prices FROM price_template t WHERE t.hotel_id = $1 AND t.id = $2::int`,
    templateId,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/**
 * Keeps prices under a name, or changes the ones with `input.id`. Rooms keep the prices they were given until the template
 * is put on them again.
 * @throws no_permission, not_found; name_taken; invalid_input for a price under one major unit
 */
export async function save(scope: Scope, { id, name, prices }: TemplateInput): Promise<TemplateRef> {
  scope.require("prices.manage");
  checkMinimum(prices, majorUnit(scope.hotel.currency));
  return scope.write(async (tx) => {
    const before = id === undefined ? null : await holdTemplate(tx, id);
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

/** Forgets a template. Rooms keep the prices they have from it, as if set by hand. @throws no_permission, not_found */
export async function remove(scope: Scope, templateId: number): Promise<TemplateRef> {
  scope.require("prices.manage");
  return scope.write(async (tx) => {
    const { name } = await holdTemplate(tx, templateId);
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
 * Puts a template, exactly as it stands, on rooms: all of them or none. What was quoted or charged before stays.
 * @throws no_permission; not_found for the template or one of the rooms
 */
export async function apply(
  scope: Scope,
  { templateId, roomIds }: TemplateRooms,
): Promise<{ updated: number; unchanged: number }> {
  scope.require("prices.manage");
  return scope.write(async (tx) => {
    const { name, prices } = await holdTemplate(tx, templateId);
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

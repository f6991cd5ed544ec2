import { MAX_PRICE_DATES } from "@innkey/shared/limits";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/property/price-templates";
import type { PricesInput } from "@innkey/shared/schemas/property/rooms";
import { z } from "zod";
import * as queries from "../../../domain/property/prices/templates.service.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pageOfAll } from "../fields.ts";

/** Price formats of old clients, for rooms and price templates. */

const { out } = f;

const special = z
  .array(z.object({ date: f.date("2026-12-24"), price: f.money("198.00") }), v.required)
  .max(MAX_PRICE_DATES, v.tooLong)
  .register(f.fieldNotes, { type: "array of {date, price}", example: [{ date: "2026-12-24", price: "198.00" }] });

/** Input fields of prices. They replace the whole set, so an absent field removes that price. */
export const priceFields = {
  deposit: f.money("50.00"),
  usual_price: f.money("128.00"),
  weekend_price: f.money("158.00"),
  special: special.optional(),
  renew_price: f.money("118.00").optional(),
  hour_price: f.money("30.00").optional(),
  month_price: f.money("2400.00").optional(),
  year_price: f.money("24000.00").optional(),
};

export const priceAnswer = {
  deposit: out.money("50.00"),
  usual_price: out.money("128.00"),
  weekend_price: out.money("158.00"),
  special: z.array(z.strictObject({ date: out.date("2026-12-24"), price: out.money("198.00") })),
  renew_price: out.money("118.00").nullable(),
  hour_price: out.money("30.00").nullable(),
  month_price: out.money("2400.00").nullable(),
  year_price: out.money("24000.00").nullable(),
};

type PriceFields = z.output<z.ZodObject<typeof priceFields>>;

/**
 * Converts prices to the hotel's minor units, for `pricesInput`. @throws invalid_input if an amount has more decimals
 * than the currency
 */
export function pricesOf(scope: Scope, input: PriceFields): PricesInput {
  const { special: dates = [] } = input;
  return {
    depositMinor: f.minorOf(scope, input.deposit, "deposit"),
    usualMinor: f.minorOf(scope, input.usual_price, "usual_price"),
    weekendMinor: f.minorOf(scope, input.weekend_price, "weekend_price"),
    renewalMinor: f.optionalMinor(scope, input.renew_price, "renew_price"),
    hourMinor: f.optionalMinor(scope, input.hour_price, "hour_price"),
    monthMinor: f.optionalMinor(scope, input.month_price, "month_price"),
    yearMinor: f.optionalMinor(scope, input.year_price, "year_price"),
    dates: dates.map(({ date, price }) => ({ date, priceMinor: f.minorOf(scope, price, "price") })),
  };
}

export function pricesAnswer(scope: Scope, prices: PricesInput) {
  return {
    deposit: f.moneyOf(scope, prices.depositMinor),
    usual_price: f.moneyOf(scope, prices.usualMinor),
    weekend_price: f.moneyOf(scope, prices.weekendMinor),
    special: prices.dates.map(({ date, priceMinor }) => ({ date, price: f.moneyOf(scope, priceMinor) })),
    renew_price: f.optionalMoney(scope, prices.renewalMinor),
    hour_price: f.optionalMoney(scope, prices.hourMinor),
    month_price: f.optionalMoney(scope, prices.monthMinor),
    year_price: f.optionalMoney(scope, prices.yearMinor),
  };
}

/** Calls for price templates. */
export const priceTemplatesCalls = [
  call("priceTemplate/lists", {
    summary: "The hotel's price templates by name.",
    input: f.paging,
    output: f.listOf({
      id: out.id(),
      name: out.text("Winter"),
      deposit: out.money("50.00"),
      usual_price: out.money("128.00"),
      weekend_price: out.money("158.00"),
      room_count: out.int(12),
    }),
    async run({ scope }, input) {
      const rows = await queries.list(scope);
      const list = rows.map((row) => ({
        id: row.id,
        name: row.name,
        deposit: f.moneyOf(scope, row.depositMinor),
        usual_price: f.moneyOf(scope, row.usualMinor),
        weekend_price: f.moneyOf(scope, row.weekendMinor),
        room_count: row.rooms.length,
      }));
      return pageOfAll(list, input);
    },
  }),
  call("priceTemplate/info", {
    summary: "All prices of a template.",
    input: { id: f.id() },
    output: z.strictObject({ id: out.id(), name: out.text("Winter"), ...priceAnswer }),
    async run({ scope }, input) {
      const { id, name, prices } = await queries.info(scope, input.id);
      return { id, name, ...pricesAnswer(scope, prices) };
    },
  }),
  call("priceTemplate/add", {
    summary:
      "Saves prices under a name; with `id`, replaces those of a template. Rooms that use the template keep their prices.",
    changes: true,
    input: { id: f.id().optional(), name: f.name(60, "Winter"), ...priceFields },
    output: z.strictObject({ id: out.id() }),
    errors: ["name_taken"],
    async run({ scope }, { id, name, ...prices }) {
      const accepted = s.templateInput.parse({ id, name, prices: pricesOf(scope, prices) });
      return { id: (await queries.save(scope, accepted)).templateId };
    },
  }),
  call("priceTemplate/delete", {
    summary: "Deletes a template; rooms keep the prices they have from it.",
    changes: true,
    input: { id: f.id() },
    output: f.nothing,
    async run({ scope }, { id }) {
      await queries.remove(scope, id);
      return {};
    },
  }),
  call("priceTemplate/setPriceTemplate", {
    summary: "Applies a template's prices to rooms: to all of them or none.",
    changes: true,
    input: { template_id: f.id(), room_ids: f.ids() },
    output: f.nothing,
    async run({ scope }, { template_id: templateId, room_ids: roomIds }) {
      await queries.apply(scope, s.templateRooms.parse({ templateId, roomIds }));
      return {};
    },
  }),
];

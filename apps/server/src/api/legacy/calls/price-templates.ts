import * as s from "@innkey/shared/schemas/property/price-templates";
import { z } from "zod";
import * as queries from "../../../domain/property/prices/templates.queries.ts";
import * as templates from "../../../domain/property/prices/templates.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pageOfAll } from "../pages.ts";
import { priceAnswer, priceFields, pricesAnswer, pricesOf } from "../prices.ts";

const { out } = f;

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
      "Keeps prices under a name, or with an id replaces those of a template; rooms that have them keep what they were given.",
    changes: true,
    input: { id: f.id().optional(), name: f.name(60, "Winter"), ...priceFields },
    output: z.strictObject({ id: out.id() }),
    errors: ["name_taken"],
    async run({ scope }, { id, name, ...prices }) {
      const accepted = s.templateInput.parse({ id, name, prices: pricesOf(scope, prices) });
      return { id: (await templates.save(scope, accepted)).templateId };
    },
  }),
  call("priceTemplate/delete", {
    summary: "Forgets a template; rooms keep the prices they have from it.",
    changes: true,
    input: { id: f.id() },
    output: f.nothing,
    async run({ scope }, { id }) {
      await templates.remove(scope, id);
      return {};
    },
  }),
  call("priceTemplate/setPriceTemplate", {
    summary: "Puts a template, exactly as it stands, on rooms: on all of them or none.",
    changes: true,
    input: { template_id: f.id(), room_ids: f.ids() },
    output: f.nothing,
    async run({ scope }, { template_id: templateId, room_ids: roomIds }) {
      await templates.apply(scope, s.templateRooms.parse({ templateId, roomIds }));
      return {};
    },
  }),
];

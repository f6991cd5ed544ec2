import { customerIdInput, customerListInput } from "@innkey/shared/schemas/stays/customers";
import { removeCustomer } from "../../../domain/desk/public.ts";
import * as queries from "../../../domain/overview/customers.queries.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;

/** Calls for customers: people and companies who book. */
export const customersCalls = [
  call("room/clientList", {
    summary:
      "Customers by name. `keyword` is searched in name, company, phone and e-mail; `card_count` counts active cards.",
    input: { keyword: f.text(100, "Harbour").optional(), ...f.paging },
    output: f.listOf({
      id: out.id(9),
      name: out.text("Ann Lee"),
      mobile: out.text("13800000001"),
      email: out.text("ann@company.example"),
      company: out.text("Harbour Ltd"),
      note: out.text("Invoices by mail"),
      card_count: out.int(2),
      stay_count: out.int(14),
      freeze: out.flag(0),
      create_time: out.time(),
    }),
    async run({ scope }, input) {
      const { keyword } = input;
      const { rows, total } = await queries.list(scope, customerListInput.parse({ keyword, ...f.pageOf(input) }));
      const list = rows.map((row) => ({
        id: row.id,
        name: row.name,
        mobile: row.mobile,
        email: row.email,
        company: row.company,
        note: row.note,
        card_count: row.cardCount ?? 0,
        stay_count: row.stayCount,
        freeze: f.bit(row.frozen),
        create_time: f.seconds(row.createdAt),
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
  call("room/clientDelete", {
    summary: "Removes a customer; existing stays keep the name.",
    changes: true,
    input: { id: f.id(9) },
    output: f.nothing,
    errors: ["in_house"],
    async run({ scope }, input) {
      await removeCustomer(scope, customerIdInput.parse(input).id);
      return {};
    },
  }),
];

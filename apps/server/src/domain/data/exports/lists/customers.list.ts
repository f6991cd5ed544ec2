import type { CustomerListOutput } from "@innkey/shared/schemas/people";
import { customerListQuery } from "../../../overview/public.ts";
import { type ExportList, number, text, time } from "../columns.ts";

type Row = CustomerListOutput["rows"][number];

export const customersList: ExportList<"customers", Row> = {
  query(scope, filters) {
    const { text: page, values } = customerListQuery(scope, filters);
    // The screen's query returns one array; its order is the order of the list.
    const each = `SELECT c.* FROM (${page}) listed CROSS JOIN LATERAL jsonb_array_elements(listed.rows::jsonb)
      WITH ORDINALITY AS found (row, place) CROSS JOIN LATERAL jsonb_to_record(found.row) AS c (name text, kind text,
        company text, frozen boolean, "inHouse" boolean, mobile text, email text, "stayCount" int, "createdAt" text, note text)
      ORDER BY found.place`;
    return { text: each, values };
  },
  columns: {
    name: text(({ name }) => name),
    kind: text(({ kind }, { t }) => t(`customer.kindOf.${kind}`)),
    company: text(({ company }) => company),
    state: text(({ frozen, inHouse }, { t }) =>
      frozen ? t("customer.frozen") : inHouse ? t("customer.inHouse") : null,
    ),
    mobile: text(({ mobile }) => mobile),
    email: text(({ email }) => email),
    stays: number(({ stayCount }) => stayCount),
    since: time(({ createdAt }) => createdAt),
    note: text(({ note }) => note),
  },
};

import type { CustomerListOutput } from "@innkey/shared/schemas/stays/customers";
import type { HistoryRow } from "@innkey/shared/schemas/stays/history";
import type { guestRow } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import { customerListQuery, historyQuery } from "../../../overview/public.ts";
import { guestListQuery, readDocumentNumber } from "../../../stays/public.ts";
import { type ExportList, number, text, time, yesNo } from "../columns.ts";

type Row = z.infer<typeof guestRow> & { guestId: number; documentBox: Buffer | null };

/** Document numbers are masked or in full, as the reader may see them. */
export const guestsList: ExportList<"guests", Row> = {
  query: (scope, filters) => guestListQuery(scope, filters),
  columns: {
    name: text(({ name }) => name),
    state: text(({ state }, { t }) => t(`guest.state.${state}`)),
    room: text(({ roomName }) => roomName),
    arrival: time(({ startsAt }) => startsAt),
    departure: time(({ endsAt }) => endsAt),
    mobile: text(({ mobile }) => mobile),
    nationality: text(({ nationality }) => nationality),
    documentNumber: text(({ guestId, documentBox }, { scope }) => readDocumentNumber(scope, guestId, documentBox)),
    breakfast: yesNo(({ breakfast }) => breakfast),
    primary: yesNo(({ primary }) => primary),
    otherInformation: text(({ otherInformation }) => otherInformation),
  },
};

export const historyList: ExportList<"history", HistoryRow> = {
  query: (scope, filters) => historyQuery(scope, filters),
  columns: {
    guest: text(({ guestName }) => guestName),
    otherGuests: number(({ otherGuests }) => otherGuests),
    rooms: text(({ rooms }) => rooms.join(", ")),
    checkedIn: time(({ checkedInAt }) => checkedInAt),
    checkedInBy: text(({ checkedInBy }) => checkedInBy),
    checkedOut: time(({ checkedOutAt }) => checkedOutAt),
    checkedOutBy: text(({ checkedOutBy }) => checkedOutBy),
  },
};

type CustomerRow = CustomerListOutput["rows"][number];

export const customersList: ExportList<"customers", CustomerRow> = {
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

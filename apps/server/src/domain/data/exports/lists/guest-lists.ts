import { signedMinor } from "@innkey/shared/folio";
import type { entryListOutput } from "@innkey/shared/schemas/folio";
import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import type { CustomerListOutput } from "@innkey/shared/schemas/stays/customers";
import type { HistoryRow } from "@innkey/shared/schemas/stays/history";
import type { guestRow } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import { entryListQuery } from "../../../folio/public.ts";
import { customerListQuery, historyQuery } from "../../../overview/public.ts";
import { breakfastListQuery, guestListQuery, hotelToday, readDocumentNumber } from "../../../stays/public.ts";
import { type ExportList, yesNo } from "../columns.ts";

type GuestRow = z.infer<typeof guestRow> & { guestId: number; documentBox: Buffer | null; noShowReason: string };

/** Document numbers are masked or in full, as the reader may see them. */
export const guestsList: ExportList<"guests", GuestRow> = {
  query: (scope, filters) => guestListQuery(scope, filters),
  columns: {
    name: ({ name }) => name,
    state: ({ state }, { t }) => t(`guest.state.${state}`),
    room: ({ roomName }) => roomName,
    arrival: ({ startsAt }) => startsAt,
    departure: ({ endsAt }) => endsAt,
    mobile: ({ mobile }) => mobile,
    nationality: ({ nationality }) => nationality,
    documentNumber: ({ guestId, documentBox }, { scope }) => readDocumentNumber(scope, guestId, documentBox),
    breakfast: yesNo(({ breakfast }) => breakfast),
    primary: yesNo(({ primary }) => primary),
    otherInformation: ({ otherInformation }) => otherInformation,
    noShowReason: ({ noShowReason }) => noShowReason,
  },
};

export const historyList: ExportList<"history", HistoryRow> = {
  query: (scope, filters) => historyQuery(scope, filters),
  columns: {
    guest: ({ guestName }) => guestName,
    otherGuests: ({ otherGuests }) => otherGuests,
    rooms: ({ rooms }) => rooms.join(", "),
    checkedIn: ({ checkedInAt }) => checkedInAt,
    checkedInBy: ({ checkedInBy, checkedInByGuest }, { t }) => (checkedInByGuest ? t("history.byGuest") : checkedInBy),
    checkedOut: ({ checkedOutAt }) => checkedOutAt,
    checkedOutBy: ({ checkedOutBy, checkedOutByGuest }, { t }) =>
      checkedOutByGuest ? t("history.byGuest") : checkedOutBy,
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
    name: ({ name }) => name,
    kind: ({ kind }, { t }) => t(`customer.kindOf.${kind}`),
    company: ({ company }) => company,
    state: ({ frozen, inHouse }, { t }) => (frozen ? t("customer.frozen") : inHouse ? t("customer.inHouse") : null),
    mobile: ({ mobile }) => mobile,
    email: ({ email }) => email,
    stays: ({ stayCount }) => stayCount,
    since: ({ createdAt }) => createdAt,
    note: ({ note }) => note,
  },
};

type EntryRow = z.infer<typeof entryListOutput>["rows"][number];

export const entriesList: ExportList<"folio", EntryRow> = {
  query: (scope, filters) => entryListQuery(scope, filters),
  columns: {
    type: ({ type }, { t }) => t(`folio.typeOf.${type}`),
    at: ({ createdAt }) => createdAt,
    guest: ({ guestName }) => guestName,
    room: ({ roomName }) => roomName,
    channel: ({ destination, channel }, { t }) =>
      destination || (channel ? t(`stay.channel.${channel}`) : t("folio.notMoved")),
    operator: ({ operatorName }) => operatorName,
    amount: signedMinor,
    currency: (_row, { scope }) => scope.hotel.currency,
    note: ({ note }) => note,
  },
};

type BreakfastRow = BreakfastGuest & { date: string };

export const breakfastList: ExportList<"breakfast", BreakfastRow> = {
  async query(scope, filters) {
    const day = filters.date ?? hotelToday(scope);
    const { text: guests, values } = await breakfastListQuery(scope, day);
    return { text: `SELECT listed.*, to_char($2::date, 'YYYY-MM-DD') AS date FROM (${guests}) listed`, values };
  },
  columns: {
    room: ({ roomName }) => roomName,
    guest: ({ name }) => name,
    date: (row) => row.date,
    eaten: ({ usedAt }) => usedAt,
    operator: ({ operatorName }) => operatorName,
  },
};

import type { entryListOutput } from "@innkey/shared/schemas/folio/entries";
import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import type { z } from "zod";
import { entryListQuery } from "../../../folio/public.ts";
import { breakfastListQuery, hotelToday } from "../../../stays/public.ts";
import { date, type ExportList, money, text, time } from "../columns.ts";

type Row = z.infer<typeof entryListOutput>["rows"][number];

/** Returns the amount as shown on the screen: refunds and withdrawals are negative. */
const signed = ({ type, amountMinor }: Row): number =>
  type === "refund" || type === "withdrawal" ? -amountMinor : amountMinor;

export const entriesList: ExportList<"folio", Row> = {
  query: (scope, filters) => entryListQuery(scope, filters),
  columns: {
    type: text(({ type }, { t }) => t(`folio.typeOf.${type}`)),
    at: time(({ createdAt }) => createdAt),
    guest: text(({ guestName }) => guestName),
    room: text(({ roomName }) => roomName),
    channel: text(
      ({ destination, channel }, { t }) =>
        destination || (channel ? t(`stay.channel.${channel}`) : t("folio.notMoved")),
    ),
    operator: text(({ operatorName }) => operatorName),
    amount: money(signed),
    currency: text((_row, { scope }) => scope.hotel.currency),
    note: text(({ note }) => note),
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
    room: text(({ roomName }) => roomName),
    guest: text(({ name }) => name),
    date: date((row) => row.date),
    eaten: time(({ usedAt }) => usedAt),
    operator: text(({ operatorName }) => operatorName),
  },
};

import type { entryListOutput } from "@innkey/shared/schemas/folio/entries";
import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import type { z } from "zod";
import { entryListQuery } from "../../../folio/public.ts";
import { breakfastListQuery, hotelToday } from "../../../stays/public.ts";
import type { ExportList } from "../columns.ts";

type Row = z.infer<typeof entryListOutput>["rows"][number];

/** Returns the amount as shown on the screen: refunds and withdrawals are negative. */
const signed = ({ type, amountMinor }: Row): number =>
  type === "refund" || type === "withdrawal" ? -amountMinor : amountMinor;

export const entriesList: ExportList<"folio", Row> = {
  query: (scope, filters) => entryListQuery(scope, filters),
  columns: {
    type: ({ type }, { t }) => t(`folio.typeOf.${type}`),
    at: ({ createdAt }) => createdAt,
    guest: ({ guestName }) => guestName,
    room: ({ roomName }) => roomName,
    channel: ({ destination, channel }, { t }) =>
      destination || (channel ? t(`stay.channel.${channel}`) : t("folio.notMoved")),
    operator: ({ operatorName }) => operatorName,
    amount: signed,
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

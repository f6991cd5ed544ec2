import type { BreakfastGuest } from "@innkey/shared/schemas/breakfast";
import { breakfastListQuery, hotelToday } from "../../../stays/public.ts";
import { date, type ExportList, text, time } from "../columns.ts";

type Row = BreakfastGuest & { date: string };

export const breakfastList: ExportList<"breakfast", Row> = {
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

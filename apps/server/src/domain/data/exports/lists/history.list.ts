import type { HistoryRow } from "@innkey/shared/schemas/history";
import { historyQuery } from "../../../overview/public.ts";
import { type ExportList, number, text, time } from "../columns.ts";

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

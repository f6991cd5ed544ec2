import type { AlertRow } from "@innkey/shared/schemas/messaging/alerts";
import { ALERT_ROW, alertText, CHOSEN_ALERTS } from "../../../messaging/public.ts";
import { type ExportList, number, text, time } from "../columns.ts";

const ALERTS = `SELECT ${ALERT_ROW} FROM (${CHOSEN_ALERTS}) m LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id
  ORDER BY m.last_at DESC, m.id DESC`;

export const alertsList: ExportList<"alerts", AlertRow> = {
  query: (scope, { state, kind }) => ({ text: ALERTS, values: [scope.roomIds, state, kind ?? null] }),
  columns: {
    kind: text(({ kind }, { t }) => t(`alert.kind.${kind}`)),
    text: text((row, { t, times }) => alertText(row, t, times)),
    door: text(({ roomName }) => roomName),
    state: text(({ resolvedAt }, { t }) => t(resolvedAt ? "alert.settled" : "alert.open")),
    count: number(({ count }) => count),
    last: time(({ lastAt }) => lastAt),
    first: time(({ firstAt }) => firstAt),
  },
};

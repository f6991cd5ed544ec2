import type { AlertRow } from "@innkey/shared/schemas/messaging/alerts";
import { ALERT_ROW, alertText, CHOSEN_ALERTS } from "../../../messaging/public.ts";
import type { ExportList } from "../columns.ts";

const ALERTS = `SELECT ${ALERT_ROW} FROM (${CHOSEN_ALERTS}) m LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id
  ORDER BY m.last_at DESC, m.id DESC`;

export const alertsList: ExportList<"alerts", AlertRow> = {
  query: (scope, { state, kind }) => ({ text: ALERTS, values: [scope.roomIds, state, kind ?? null] }),
  columns: {
    kind: ({ kind }, { t }) => t(`alert.kind.${kind}`),
    text: (row, { t, times }) => alertText(row, t, times),
    door: ({ roomName }) => roomName,
    state: ({ resolvedAt }, { t }) => t(resolvedAt ? "alert.settled" : "alert.open"),
    count: ({ count }) => count,
    last: ({ lastAt }) => lastAt,
    first: ({ firstAt }) => firstAt,
  },
};

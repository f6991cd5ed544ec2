import type { MessageRow } from "@innkey/shared/schemas/messages";
import { CHOSEN_MESSAGES, MESSAGE_ROW, messageText } from "../../../messaging/public.ts";
import { type ExportList, number, text, time } from "../columns.ts";

const MESSAGES = `SELECT ${MESSAGE_ROW} FROM (${CHOSEN_MESSAGES}) m LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id
  ORDER BY m.last_at DESC, m.id DESC`;

export const messagesList: ExportList<"messages", MessageRow> = {
  query: (scope, { state, kind }) => ({ text: MESSAGES, values: [scope.roomIds, state, kind ?? null] }),
  columns: {
    kind: text(({ kind }, { t }) => t(`message.kind.${kind}`)),
    text: text((row, { t, times }) => messageText(row, t, times)),
    door: text(({ roomName }) => roomName),
    state: text(({ resolvedAt }, { t }) => t(resolvedAt ? "message.settled" : "message.open")),
    count: number(({ count }) => count),
    last: time(({ lastAt }) => lastAt),
    first: time(({ firstAt }) => firstAt),
  },
};

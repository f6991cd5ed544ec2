import type { MessageRow } from "@innkey/shared/schemas/messages";
import { CHOSEN_MESSAGES, MESSAGE_ROW } from "../../messages/messages.service.ts";
import { type ExportList, number, type Reader, text, time } from "../columns.ts";

const MESSAGES = `SELECT ${MESSAGE_ROW} FROM (${CHOSEN_MESSAGES}) m LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id
  ORDER BY m.last_at DESC, m.id DESC`;

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** What happened, as the desk reads it: instants on the hotel's clock, a lock's error as a sentence. */
function sentence({ kind, params, roomName }: MessageRow, { t, times }: Reader): string {
  const spoken = Object.entries({ error: "", ...params }).map(([name, value]) => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, times.text(value)];
    if (name === "error" && value !== "") return [name, t(`locks.error.${value}`)];
    return [name, value];
  });
  const named = { ...Object.fromEntries(spoken), count: Number(params.count ?? 1), roomName: roomName ?? "" };
  return t(`locks.message.${kind}`, named).trim();
}

export const messagesList: ExportList<"messages", MessageRow> = {
  query: (scope, { state, kind }) => ({ text: MESSAGES, values: [scope.roomIds, state, kind ?? null] }),
  columns: {
    kind: text(({ kind }, { t }) => t(`message.kind.${kind}`)),
    text: text(sentence),
    door: text(({ roomName }) => roomName),
    state: text(({ resolvedAt }, { t }) => t(resolvedAt ? "message.settled" : "message.open")),
    count: number(({ count }) => count),
    last: time(({ lastAt }) => lastAt),
    first: time(({ firstAt }) => firstAt),
  },
};

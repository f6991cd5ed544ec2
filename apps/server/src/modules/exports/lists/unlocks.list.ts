import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import type { Scope } from "../../../core/scope.ts";
import { recordsForFile } from "../../unlocks/records.sql.ts";
import * as unlocks from "../../unlocks/unlocks.queries.ts";
import { type ExportList, type Reader, text, time } from "../columns.ts";

export type RecordRow = Omit<UnlockRecord, "id" | "manageId" | "roomId">;

const ROW = (
  holder: string,
): string => `iso(u.at) AS at, u.style::text AS style, u.success, u.reason, u.content, u.source,
  o.name AS "operatorName", g.name AS "guestName", ${holder} AS holder, r.name AS "roomName"`;

/** A lock that cries out tells of no attempt to open it. */
const isAlarm = ({ success, style, reason }: RecordRow): boolean => !success && style === "unknown" && reason === "";
const SOURCES = ["lock", "gateway", "console"];

export const styleWords = (row: RecordRow, { t }: Pick<Reader, "t">): string =>
  t(isAlarm(row) ? "doors.strip.alarm" : `room.style.${row.style}`);
export const resultWords = (row: RecordRow, { t }: Pick<Reader, "t">): string =>
  t(row.success ? "room.opened" : isAlarm(row) ? "doors.strip.alarm" : "room.refused");
export const reasonWords = ({ success, reason }: Pick<RecordRow, "success" | "reason">, { t }: Pick<Reader, "t">) =>
  success || reason === "" ? null : t(`locks.unlockReason.${reason}`);
export const sourceWords = (source: string, { t }: Pick<Reader, "t">): string =>
  SOURCES.includes(source) ? t(`room.source.${source}`) : source;

export const unlocksList: ExportList<"unlocks", RecordRow> = {
  async check(scope: Scope, { roomId, manageId, lockId }) {
    if (roomId !== undefined) await unlocks.list(scope, { roomId, limit: 1 });
    if (manageId !== undefined) await unlocks.ofPerson(scope, { manageId, limit: 1 });
    if (lockId !== undefined) await unlocks.ofLock(scope, { lockId, limit: 1 });
  },
  query: (scope, filters) => recordsForFile(filters, scope.roomIds, filters, (_put, holder) => ROW(holder)),
  columns: {
    at: time(({ at }) => at),
    room: text(({ roomName }) => roomName),
    style: text(styleWords),
    result: text(resultWords),
    reason: text(reasonWords),
    guest: text(({ guestName }) => guestName),
    holder: text(({ holder }) => holder),
    operator: text(({ operatorName }) => operatorName),
    source: text(({ source }, reader) => sourceWords(source, reader)),
    content: text(({ content }) => content),
  },
};

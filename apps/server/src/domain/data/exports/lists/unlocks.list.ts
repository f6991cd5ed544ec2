import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import type { Scope } from "../../../../kernel/scope.ts";
import {
  listLockRecords,
  listPersonRecords,
  listRoomRecords,
  reasonWords,
  recordsForFile,
  resultWords,
  sourceWords,
  styleWords,
} from "../../../access/public.ts";
import { type ExportList, text, time } from "../columns.ts";

export type RecordRow = Omit<UnlockRecord, "id" | "stayGuestId" | "roomId">;

const ROW = (
  holder: string,
): string => `iso(u.at) AS at, u.style::text AS style, u.success, u.reason, u.content, u.source,
  o.name AS "operatorName", g.name AS "guestName", ${holder} AS holder, r.name AS "roomName"`;

export const unlocksList: ExportList<"unlocks", RecordRow> = {
  async check(scope: Scope, { roomId, stayGuestId, lockId }) {
    if (roomId !== undefined) await listRoomRecords(scope, { roomId, limit: 1 });
    if (stayGuestId !== undefined) await listPersonRecords(scope, { stayGuestId, limit: 1 });
    if (lockId !== undefined) await listLockRecords(scope, { lockId, limit: 1 });
  },
  query: (scope, filters) => recordsForFile(filters, scope.roomIds, filters, (_put, holder) => ROW(holder)),
  columns: {
    at: time(({ at }) => at),
    room: text(({ roomName }) => roomName),
    style: text((row, { t }) => styleWords(row, t)),
    result: text((row, { t }) => resultWords(row, t)),
    reason: text((row, { t }) => reasonWords(row, t)),
    guest: text(({ guestName }) => guestName),
    holder: text(({ holder }) => holder),
    operator: text(({ operatorName }) => operatorName),
    source: text(({ source }, { t }) => sourceWords(source, t)),
    content: text(({ content }) => content),
  },
};

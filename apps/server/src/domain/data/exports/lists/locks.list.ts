import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import type { LockRow } from "@innkey/shared/schemas/access/locks";
import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import type { Scope } from "../../../../kernel/scope.ts";
import {
  cardReaderListQuery,
  LOCK_ROWS,
  listLockRecords,
  listPersonRecords,
  listRoomRecords,
  reasonWords,
  recordsForFile,
  resultWords,
  sourceWords,
  styleWords,
} from "../../../access/public.ts";
import type { ExportList } from "../columns.ts";

/** Locks in the order of $3, the ids that the browser shows, or all of them if it is null. */
const LOCKS = `SELECT listed.* FROM (SELECT l.*, row_number() OVER () AS place FROM (${LOCK_ROWS}) l) listed
  WHERE $3::int[] IS NULL OR listed.id = ANY ($3::int[]) ORDER BY array_position($3::int[], listed.id), listed.place`;

export const locksList: ExportList<"locks", LockRow> = {
  query: (scope, { ids }) => ({ text: LOCKS, values: [scope.roomIds, ids ?? null] }),
  columns: {
    room: ({ roomName }, { t }) => roomName ?? t("locks.noRoom"),
    state: ({ breakerOpenedAt, configuredAt, online }, { t }) =>
      breakerOpenedAt
        ? t("locks.stopped")
        : configuredAt === null
          ? t("locks.notSetUp")
          : t(online ? "locks.online" : "locks.offline"),
    power: ({ power }) => power,
    lastSeen: ({ lastSeenAt: seenAt }) => seenAt,
    waiting: ({ waiting }) => waiting,
    driver: ({ driver }, { t }) => t(`locks.driver.${driver}`),
    mac: ({ mac }) => mac,
    bluetoothName: ({ bluetoothName }) => bluetoothName,
    firmware: ({ firmware }) => firmware,
  },
};

export const cardReadersList: ExportList<"cardReaders", CardReaderRow> = {
  query: (scope, filters) => cardReaderListQuery(scope, filters),
  columns: {
    name: ({ name }) => name,
    deviceNo: ({ deviceNo }) => deviceNo,
    type: ({ type }, { t }) => t("reader.type", { number: type }),
    holder: ({ holder }) => holder?.name ?? null,
    lastSeen: ({ lastSeenAt }) => lastSeenAt,
    registered: ({ createdAt }) => createdAt,
    note: ({ note }) => note,
  },
};

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
    at: ({ at }) => at,
    room: ({ roomName }) => roomName,
    style: (row, { t }) => styleWords(row, t),
    result: (row, { t }) => resultWords(row, t),
    reason: (row, { t }) => reasonWords(row, t),
    guest: ({ guestName }) => guestName,
    holder: ({ holder }) => holder,
    operator: ({ operatorName }) => operatorName,
    source: ({ source }, { t }) => sourceWords(source, t),
    content: ({ content }) => content,
  },
};

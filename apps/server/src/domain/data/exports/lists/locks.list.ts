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
import { type ExportList, number, text, time } from "../columns.ts";

/** Locks in the order of $3, the ids that the browser shows, or all of them if it is null. */
const LOCKS = `SELECT listed.* FROM (SELECT l.*, row_number() OVER () AS place FROM (${LOCK_ROWS}) l) listed
  WHERE $3::int[] IS NULL OR listed.id = ANY ($3::int[]) ORDER BY array_position($3::int[], listed.id), listed.place`;

export const locksList: ExportList<"locks", LockRow> = {
  query: (scope, { ids }) => ({ text: LOCKS, values: [scope.roomIds, ids ?? null] }),
  columns: {
    room: text(({ roomName }, { t }) => roomName ?? t("locks.noRoom")),
    state: text(({ breakerOpenedAt, configuredAt, online }, { t }) =>
      breakerOpenedAt
        ? t("locks.stopped")
        : configuredAt === null
          ? t("locks.notSetUp")
          : t(online ? "locks.online" : "locks.offline"),
    ),
    power: number(({ power }) => power),
    lastSeen: time(({ lastSeenAt: seenAt }) => seenAt),
    waiting: number(({ waiting }) => waiting),
    driver: text(({ driver }, { t }) => t(`locks.driver.${driver}`)),
    mac: text(({ mac }) => mac),
    bluetoothName: text(({ bluetoothName }) => bluetoothName),
    firmware: text(({ firmware }) => firmware),
  },
};

export const cardReadersList: ExportList<"cardReaders", CardReaderRow> = {
  query: (scope, filters) => cardReaderListQuery(scope, filters),
  columns: {
    name: text(({ name }) => name),
    deviceNo: text(({ deviceNo }) => deviceNo),
    type: text(({ type }, { t }) => t("reader.type", { number: type })),
    holder: text(({ holder }) => holder?.name ?? null),
    lastSeen: time(({ lastSeenAt }) => lastSeenAt),
    registered: time(({ createdAt }) => createdAt),
    note: text(({ note }) => note),
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

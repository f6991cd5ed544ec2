import type { LockRow } from "@innkey/shared/schemas/locks";
import { LOCK_ROWS } from "../../../access/public.ts";
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

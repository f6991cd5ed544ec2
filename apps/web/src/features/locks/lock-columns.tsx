import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { useMemo } from "react";
import { listColumns } from "@/entities/export/list-columns.ts";
import { lastSeenText } from "@/entities/lock/lock-words.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";
import { LockState, PowerBar } from "./lock-reach.tsx";

export function useLockColumns(): DataColumn<LockRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"locks", LockRow>("locks", {
        room: {
          fixed: true,
          card: "title",
          value: (row) => row.roomName ?? "",
          cell: (row) =>
            row.roomName ? (
              <span className="font-medium">{row.roomName}</span>
            ) : (
              <span className="text-muted-foreground">{t("locks.noRoom")}</span>
            ),
        },
        state: {
          card: "status",
          value: (row) => (row.breakerOpenedAt ? 0 : row.online ? 2 : 1),
          cell: (row) => <LockState lock={row} />,
        },
        power: { value: (row) => row.power ?? -1, cell: (row) => <PowerBar power={row.power} /> },
        lastSeen: {
          value: (row) => row.lastSeenAt,
          className: "whitespace-nowrap",
          cell: (row) => (
            <span title={row.lastSeenAt ? formatDateTime(row.lastSeenAt, timeZone) : undefined}>
              {lastSeenText(row.lastSeenAt)}
            </span>
          ),
        },
        waiting: {
          align: "end",
          value: (row) => row.waiting,
          cell: (row) =>
            row.waiting > 0 ? (
              formatNumber(row.waiting)
            ) : (
              <span className="text-faint-foreground">{formatNumber(0)}</span>
            ),
        },
        driver: { cell: (row) => t(`locks.driver.${row.driver}`) },
        mac: {
          className: "whitespace-nowrap",
          cell: (row) => (
            <bdi className="ltr-run font-mono text-sm" dir="ltr">
              {row.mac}
            </bdi>
          ),
        },
        firmware: { hidden: true, card: "none", cell: (row) => <bdi>{row.firmware || "–"}</bdi> },
      }),
    [t, timeZone],
  );
}

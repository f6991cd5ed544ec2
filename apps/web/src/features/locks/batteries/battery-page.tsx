import { isBatteryDue } from "@innkey/shared/locks/lock-status";
import type { BatteryRow } from "@innkey/shared/schemas/access/locks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { lastSeenText } from "@/entities/lock/lock-labels.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { BatteryEstimate, PowerBar } from "../lock-reach.tsx";
import { BatterySheet, placeOf } from "./battery-sheet.tsx";

const SHOWN = ["all", "due"] as const;

function useBatteryColumns(): DataColumn<BatteryRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    () => [
      {
        id: "room",
        header: t("board.room"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.roomName ?? row.mac,
        cell: (row) => <bdi className="figures">{row.roomName ?? row.mac}</bdi>,
      },
      {
        id: "place",
        header: t("locks.battery.place"),
        sortable: true,
        value: (row) => placeOf(row),
        cell: (row) => <bdi>{placeOf(row)}</bdi>,
      },
      {
        id: "power",
        header: t("locks.power"),
        card: "status",
        sortable: true,
        value: (row) => row.power ?? -1,
        cell: (row) => <PowerBar power={row.power} />,
      },
      {
        id: "weeksLeft",
        header: t("locks.battery.weeksLeft"),
        sortable: true,
        value: (row) => row.weeksLeft ?? Number.POSITIVE_INFINITY,
        cell: (row) => <BatteryEstimate battery={row} />,
      },
      {
        id: "lastSeen",
        header: t("room.lastSeen"),
        sortable: true,
        value: (row) => row.lastSeenAt ?? "",
        cell: (row) => (
          <span title={row.lastSeenAt ? formatDateTime(row.lastSeenAt, timeZone) : undefined}>
            {lastSeenText(row.lastSeenAt)}
          </span>
        ),
      },
    ],
    [timeZone],
  );
}

/** The batteries of all locks, the most urgent first, to be printed for a round through the hotel. */
export function BatteryPage() {
  const navigate = useNavigate();
  const columns = useBatteryColumns();
  const [shown, setShown] = useState<(typeof SHOWN)[number]>("all");
  const [isPrinting, setIsPrinting] = useState(false);
  const stopPrinting = useCallback(() => setIsPrinting(false), []);
  const batteries = useQuery(trpc.locks.batteries.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  const due = batteries.data?.filter(isBatteryDue);
  const rows = shown === "due" ? due : batteries.data;
  const labels = {
    all: t("locks.show.all"),
    due: [t("locks.battery.due"), due && due.length > 0 && formatNumber(due.length)].filter(Boolean).join(" "),
  };
  return (
    <>
      <PageHeader
        title={t("locks.battery.title")}
        description={t("locks.battery.text")}
        actions={
          <Button variant="outline" disabled={!rows || rows.length === 0} onClick={() => setIsPrinting(true)}>
            <Printer aria-hidden />
            {t("board.print")}
          </Button>
        }
      />
      <DataTable
        label={t("locks.battery.title")}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.lockId)}
        error={batteries.error}
        onRetry={() => void batteries.refetch()}
        onOpen={(row) => void navigate({ to: "/locks/$lockId", params: { lockId: row.lockId } })}
        empty={{ drawing: ClosedDoor, title: shown === "due" ? t("locks.battery.noneDue") : t("locks.none") }}
        toolbar={
          <Segmented
            aria-label={t("locks.filter")}
            value={shown}
            onChange={setShown}
            options={SHOWN.map((value) => ({ value, label: labels[value] }))}
          />
        }
      />
      {isPrinting && rows && <BatterySheet rows={rows} onPrinted={stopPrinting} />}
    </>
  );
}

import { newerFirmware } from "@innkey/shared/locks/firmware";
import { isClockWrong, LOW_POWER_PERCENT, lockStatusOf } from "@innkey/shared/locks/lock-status";
import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  BatteryMedium,
  Cable,
  ClipboardPaste,
  KeyRound,
  OctagonPause,
  Pencil,
  Plus,
  Replace,
  Trash2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { lastSeenText } from "@/entities/lock/lock-labels.ts";
import { useLockActs } from "@/entities/lock/use-lock-acts.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { DoorListDialog } from "./door-list-dialog.tsx";
import { ConnectDialog } from "./links/broker-access.tsx";
import { LockDialog } from "./lock-dialog.tsx";
import { BatteryEstimate, ClockDrift, LockState, PowerBar } from "./lock-reach.tsx";
import { LOCK_FILTERS, type LockFilter, type LockSearch } from "./lock-search.ts";
import { ReplaceDialog } from "./replace-dialog.tsx";

/** `newer`: the newest firmware for the locks that have an older one, by id */
function useLockColumns(newer: ReadonlyMap<number, string>): DataColumn<LockRow>[] {
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
              <span className="figures">{row.roomName}</span>
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
        weeksLeft: {
          value: (row) => row.weeksLeft ?? Number.POSITIVE_INFINITY,
          cell: (row) => <BatteryEstimate battery={row} />,
        },
        clock: {
          value: (row) => Math.abs(row.driftSeconds ?? -1),
          cell: (row) => <ClockDrift lock={row} />,
        },
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
          hidden: true,
          align: "end",
          value: (row) => row.waiting,
          cell: (row) =>
            row.waiting > 0 ? (
              formatNumber(row.waiting)
            ) : (
              <span className="text-faint-foreground">{formatNumber(0)}</span>
            ),
        },
        driver: { hidden: true, cell: (row) => t(`locks.driver.${row.driver}`) },
        mac: {
          className: "whitespace-nowrap",
          cell: (row) => (
            <bdi className="ltr-run font-mono text-sm" dir="ltr">
              {row.mac}
            </bdi>
          ),
        },
        firmware: {
          value: (row) => row.firmware,
          cell: (row) => {
            const version = newer.get(row.id);
            return (
              <>
                <bdi className={version === undefined ? undefined : "font-medium text-expired"}>
                  {row.firmware || "–"}
                </bdi>
                {version !== undefined && (
                  <span className="block text-sm whitespace-nowrap text-muted-foreground">
                    {t("locks.firmwareOlder", { version: `\u2068${version}\u2069` })}
                  </span>
                )}
              </>
            );
          },
        },
      }),
    [timeZone, newer],
  );
}

type Matches = (lock: LockRow, newer: ReadonlyMap<number, string>) => boolean;
const MATCHES: Record<LockFilter, Matches> = {
  offline: (lock) => lockStatusOf(lock) === "unreachable",
  low: ({ power }) => power !== null && power < LOW_POWER_PERCENT,
  new: (lock) => lockStatusOf(lock) === "not_set_up",
  stopped: ({ breakerOpenedAt }) => breakerOpenedAt !== null,
  clock: isClockWrong,
  firmware: ({ id }, newer) => newer.has(id),
};

/** Returns the locks that match the search by room, MAC, Bluetooth name or address. The case doesn't matter. */
function filterLocks(
  locks: readonly LockRow[],
  newer: ReadonlyMap<number, string>,
  query: string,
  filter: LockFilter | undefined,
): LockRow[] {
  const needle = query.trim().toLocaleLowerCase();
  return locks.filter(
    (lock) =>
      (filter === undefined || MATCHES[filter](lock, newer)) &&
      [lock.roomName ?? "", lock.mac, lock.mac.replaceAll(":", ""), lock.bluetoothName, lock.address].some((text) =>
        text.toLocaleLowerCase().includes(needle),
      ),
  );
}

/** `undefined` means no dialog; null means a new lock. */
type Edited = LockRow | null | undefined;

/** Lists the hotel's locks, and shows which are online and which need attention. */
export function LockListPage({ search }: { search: LockSearch }) {
  const navigate = useNavigate();
  const can = useCan();
  const canManage = can("locks.manage");
  const list = useListState("room");
  const acts = useLockActs();
  const [edited, setEdited] = useState<Edited>();
  const [isListOpen, setListOpen] = useState(false);
  const [lockToConnect, setLockToConnect] = useState<LockRow | null>(null);
  const [lockToReplace, setLockToReplace] = useState<LockRow | null>(null);
  const locks = useQuery(trpc.locks.list.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  const newer = useMemo(() => newerFirmware(locks.data ?? []), [locks.data]);
  const columns = useLockColumns(newer);
  const rows = useMemo(
    () => locks.data && filterLocks(locks.data, newer, list.query, search.show),
    [locks.data, newer, list.query, search.show],
  );

  function actions(lock: LockRow): RowAction<LockRow>[] {
    const manageActions = canManage
      ? [
          { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
          ...(lock.roomName ? [{ label: t("locks.replace.open"), icon: Replace, onSelect: setLockToReplace }] : []),
          ...(lock.driver === "mqtt"
            ? [{ label: t("locks.connect.open"), icon: KeyRound, onSelect: setLockToConnect }]
            : []),
        ]
      : [];
    const retryAction = { label: t("locks.tryNow"), icon: OctagonPause, onSelect: acts.tryNow };
    const remove = {
      label: t("locks.remove"),
      icon: Trash2,
      danger: true,
      onSelect: (row: LockRow) => acts.askToRemove(row),
    };
    return [
      ...manageActions,
      ...(can("locks.retry") && (lock.breakerOpenedAt || lock.waiting > 0) ? [retryAction] : []),
      ...(canManage ? [remove] : []),
    ];
  }

  const all = locks.data ?? [];
  const filter = search.show ?? "all";
  const filters = (["all", ...LOCK_FILTERS] as const).map((value) => {
    const count = value === "all" ? 0 : all.filter((lock) => MATCHES[value](lock, newer)).length;
    return { value, label: [t(`locks.show.${value}`), count > 0 && formatNumber(count)].filter(Boolean).join(" ") };
  });
  const show = (value: typeof filter): void => list.change({ show: value === "all" ? undefined : value });
  const isFiltered = list.query !== "" || search.show !== undefined;
  const addButton = canManage && (
    <ActionButton onClick={() => setEdited(null)}>
      <Plus aria-hidden />
      {t("locks.add")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader
        title={t("nav.locks")}
        description={
          locks.data ? (
            t("locks.summary", {
              total: formatNumber(all.length),
              online: formatNumber(all.filter(({ online }) => online).length),
            })
          ) : (
            <span aria-hidden>&nbsp;</span>
          )
        }
        actions={
          <>
            <Button variant="outline" asChild>
              <Link to="/locks/batteries">
                <BatteryMedium aria-hidden />
                {t("locks.battery.title")}
              </Link>
            </Button>
            {canManage && (
              <>
                <Button variant="outline" asChild>
                  <Link to="/locks/links">
                    <Cable aria-hidden />
                    {t("locks.links.title")}
                  </Link>
                </Button>
                <ActionButton variant="outline" onClick={() => setListOpen(true)}>
                  <ClipboardPaste aria-hidden />
                  {t("locks.list.open")}
                </ActionButton>
                {addButton}
              </>
            )}
          </>
        }
      />
      <ExportedTable
        label={t("nav.locks")}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={locks.error}
        onRetry={() => void locks.refetch()}
        onOpen={(row) => void navigate({ to: "/locks/$lockId", params: { lockId: row.id } })}
        actions={actions}
        exportList={{ list: "locks", filters: {} }}
        empty={
          isFiltered
            ? { drawing: ClosedDoor, title: t("locks.noneFound"), description: t("locks.noneFoundText") }
            : { drawing: ClosedDoor, title: t("locks.none"), description: t("locks.noneText"), action: addButton }
        }
        toolbar={
          <>
            <SearchInput label={t("locks.search")} value={list.query} onChange={list.setQuery} />
            <Segmented
              className="max-2xl:hidden"
              aria-label={t("locks.filter")}
              value={filter}
              onChange={show}
              options={filters}
            />
            <SelectInput
              className="sm:w-60 2xl:hidden"
              aria-label={t("locks.filter")}
              value={filter}
              onChange={show}
              options={filters}
            />
          </>
        }
      />
      {edited !== undefined && (
        <LockDialog key={edited?.id ?? "new"} lock={edited} onClose={() => setEdited(undefined)} />
      )}
      {isListOpen && <DoorListDialog onClose={() => setListOpen(false)} />}
      {lockToReplace && <ReplaceDialog lock={lockToReplace} onClose={() => setLockToReplace(null)} />}
      {lockToConnect && <ConnectDialog lock={lockToConnect} onClose={() => setLockToConnect(null)} />}
    </>
  );
}

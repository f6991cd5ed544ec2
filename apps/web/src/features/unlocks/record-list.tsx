import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import { UNLOCK_STYLES } from "@innkey/shared/words";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { PeriodFilter, periodOf } from "@/entities/unlock/period-filter.tsx";
import { RECORD_RESULTS, type RecordSearch } from "@/entities/unlock/record-search.ts";
import { useUnlockEvents } from "@/lib/events/console-stream.ts";
import { formatDateTime, formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { oneAtATime } from "@/lib/loading/runs.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { LiveMark } from "@/ui/live-mark.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { type RecordPages, withNewest } from "./newest-page.ts";
import {
  type RecordFilters,
  type RecordSubject,
  readRecords,
  recordsKey,
  recordsQuery,
  useFresh,
} from "./record-queries.ts";
import { iconOf, reasonText, resultText, styleText } from "./record-style.ts";

/** Known sources of a record. Drivers may report others, which are shown unchanged. */
const SOURCES = ["lock", "gateway", "console"] as const;

const linkStyle = "underline decoration-border underline-offset-4 hover:decoration-current";

function sourceText(source: string): string {
  const sourceName = SOURCES.find((name) => name === source);
  return sourceName ? t(`room.source.${sourceName}`) : source || "–";
}

/** Columns of a list of records. Those that are the same in all rows are left out. */
function useRecordColumns(subject: RecordSubject): DataColumn<UnlockRecord>[] {
  const { timeZone } = useHotel();
  const seesGuests = useCan()("stays.view");
  const isOneRoom = typeof subject === "object" && "roomId" in subject;
  const isOnePerson = typeof subject === "object" && "stayGuestId" in subject;

  return useMemo(
    () =>
      listColumns<"unlocks", UnlockRecord>("unlocks", {
        at: {
          fixed: true,
          card: "title",
          className: "whitespace-nowrap",
          cell: (row) => <time dateTime={row.at}>{formatDateTime(row.at, timeZone)}</time>,
        },
        room: !isOneRoom && { cell: (row) => <RoomCell record={row} /> },
        style: { cell: (row) => <StyleCell record={row} /> },
        result: { card: "status", cell: (row) => <ResultCell record={row} /> },
        who: !isOnePerson && { cell: (row) => <PersonCell record={row} isLinked={seesGuests} /> },
        source: { hidden: true, card: "none", cell: (row) => sourceText(row.source) },
        content: { hidden: true, cell: (row) => row.content || "–" },
      }),
    [timeZone, seesGuests, isOneRoom, isOnePerson],
  );
}

function RoomCell({ record: { roomId, roomName } }: { record: UnlockRecord }) {
  if (roomId === null || roomName === null) return "–";
  return (
    <Link to="/room/$roomId" params={{ roomId }} search={{ tab: "unlocks" }} className={`font-medium ${linkStyle}`}>
      <bdi>{roomName}</bdi>
    </Link>
  );
}

function StyleCell({ record }: { record: UnlockRecord }) {
  const Icon = iconOf(record);
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      {styleText(record)}
    </span>
  );
}

function ResultCell({ record }: { record: UnlockRecord }) {
  const reason = reasonText(record);
  return (
    <span className="flex flex-col items-start gap-0.5 max-lg:items-end">
      <StatusChip tone={record.success ? "success" : "danger"} size="sm">
        {resultText(record)}
      </StatusChip>
      {reason && <span className="text-sm text-muted-foreground max-lg:max-w-44 max-lg:text-end">{reason}</span>}
    </span>
  );
}

/** Shows the guest, otherwise the key's holder, otherwise the staff member who opened the door from the console. */
function PersonCell({ record, isLinked }: { record: UnlockRecord; isLinked: boolean }) {
  const { guestName, stayGuestId, holder, spareCard, operatorName } = record;
  if (guestName !== null) {
    if (!isLinked || stayGuestId === null) return guestName;
    return (
      <Link to="/room/thetouristsDetails" search={{ id: stayGuestId }} className={linkStyle}>
        {guestName}
      </Link>
    );
  }
  if (spareCard !== null) return t("room.spareCard", { label: spareCard });
  const name = holder ?? operatorName;
  if (name === null) return "–";
  return (
    <>
      {name} <span className="text-sm text-muted-foreground">{holder ? t("doors.holder") : t("room.operator")}</span>
    </>
  );
}

/** Reads a list of records and adds new ones automatically unless paused. `subject` and `filters` must be stable. */
function useLiveRecords(subject: RecordSubject, filters: RecordFilters, paused: boolean) {
  const client = useQueryClient();
  const query = useInfiniteQuery(recordsQuery(subject, filters));
  const hasMissed = useRef(false);

  const readNewest = useMemo(
    () =>
      oneAtATime(async () => {
        const queryKey = recordsKey(subject, filters);
        if (!client.getQueryData(queryKey)) await client.refetchQueries({ queryKey }, { cancelRefetch: false });
        const newest = await client.fetchQuery({
          queryKey: [...queryKey, "newest"],
          queryFn: ({ signal }) => readRecords(subject, filters, undefined, signal),
          staleTime: 0,
          gcTime: 0,
          retry: false,
        });
        client.setQueryData<RecordPages>(queryKey, (pages) => pages && withNewest(pages, newest));
      }),
    [client, subject, filters],
  );

  const onNewRecords = useCallback(
    (roomIds: readonly number[] | null) => {
      const isOtherRoom =
        typeof subject === "object" && "roomId" in subject && roomIds?.includes(subject.roomId) === false;
      if (isOtherRoom) return;
      if (paused) hasMissed.current = true;
      else readNewest();
    },
    [subject, paused, readNewest],
  );
  useUnlockEvents(onNewRecords);

  useEffect(() => {
    if (paused || !hasMissed.current) return;
    hasMissed.current = false;
    readNewest();
  }, [paused, readNewest]);

  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.records), [query.data]);
  const ids = useMemo(() => rows?.map(({ id }) => id), [rows]);
  const fresh = useFresh(ids, JSON.stringify([subject, filters]));
  return { query, rows, fresh };
}

type RecordListProps = {
  /** Must be stable. */
  subject: RecordSubject;
  search: RecordSearch;
  onSearch: (patch: RecordSearch) => void;
  /** Text to show while there are no records. */
  emptyText: { title: string; description?: string };
  /** Element before the filters. */
  toolbar?: ReactNode;
};

const PAGE_SIZE = 20;
const MAX_ANNOUNCED = 3;

/** Lists the records of doors, newest first, and adds new ones as they arrive. */
export function RecordList({ subject, search, onSearch, emptyText, toolbar }: RecordListProps) {
  const { timeZone } = useHotel();
  const [paused, setPaused] = useState(false);
  const { style, result } = search;
  const { from, to } = periodOf(search, timeZone);
  const filters = useMemo(
    () => ({ from, to, style, success: result && result === "opened", limit: PAGE_SIZE }),
    [from, to, style, result],
  );
  const { query, rows, fresh } = useLiveRecords(subject, filters, paused);
  const columns = useRecordColumns(subject);
  const isFiltered = [from, to, style, result].some((filter) => filter !== undefined);

  return (
    <>
      <ExportedTable
        label={t("room.unlocks")}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowClassName={(row) => (fresh.has(row.id) ? "bg-brass-soft" : undefined)}
        error={query.error}
        onRetry={() => void query.refetch()}
        more={{
          available: query.hasNextPage,
          loading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
        }}
        exportList={{
          list: "unlocks",
          filters: { from, to, style, success: filters.success, ...(subject === "hotel" ? {} : subject) },
        }}
        empty={{ drawing: ClosedDoor, ...(isFiltered ? { title: t("room.noUnlocksHere") } : emptyText) }}
        toolbar={
          <>
            {toolbar}
            <RecordFilterBar search={search} onSearch={onSearch} />
            <LiveSwitch paused={paused} onChange={setPaused} readAt={query.dataUpdatedAt} failed={query.isError} />
          </>
        }
      />
      <p aria-live="polite" className="sr-only">
        {announcementOf(rows?.filter(({ id }) => fresh.has(id)) ?? [])}
      </p>
    </>
  );
}

/** Returns the announcement of new records for screen readers: each one if there are few, otherwise their number. */
function announcementOf(records: readonly UnlockRecord[]): string {
  if (records.length > MAX_ANNOUNCED) return t("doors.newRecords", { count: records.length });
  return records
    .map((record) => {
      const what = formatList([resultText(record), styleText(record), reasonText(record)].filter(Boolean));
      return record.roomName ? `${t("board.roomNamed", { name: record.roomName })}: ${what}.` : `${what}.`;
    })
    .join(" ");
}

type LiveSwitchProps = { paused: boolean; onChange: (paused: boolean) => void; readAt: number; failed: boolean };

/** Shows whether the list is live, and pauses it. */
function LiveSwitch({ paused, onChange, readAt, failed }: LiveSwitchProps) {
  return (
    <span className="inline-flex items-center gap-1 ps-1">
      {paused ? (
        <span role="status" className="inline-flex items-center gap-1.5 text-sm text-expired">
          <Pause aria-hidden className="size-3.5" />
          {t("doors.paused")}
        </span>
      ) : (
        <LiveMark readAt={readAt} failed={failed} />
      )}
      <IconButton
        icon={paused ? Play : Pause}
        size="icon-sm"
        label={paused ? t("doors.resume") : t("doors.pause")}
        onClick={() => onChange(!paused)}
      />
    </span>
  );
}

type RecordFiltersProps = { search: RecordSearch; onSearch: (patch: RecordSearch) => void };

/** Filters the records by period, way of opening and result. */
function RecordFilterBar({ search, onSearch }: RecordFiltersProps) {
  const { style, result } = search;
  return (
    <>
      <PeriodFilter value={search} onChange={onSearch} />
      <SelectInput
        options={[
          { value: "any", label: t("room.anyStyle") },
          ...UNLOCK_STYLES.map((value) => ({ value, label: t(`room.style.${value}`) })),
        ]}
        value={style ?? "any"}
        onChange={(next) => onSearch({ style: next === "any" ? undefined : next })}
        aria-label={t("room.unlockStyle")}
        className="w-auto min-w-44"
      />
      <SelectInput
        options={[
          { value: "any", label: t("doors.anyResult") },
          ...RECORD_RESULTS.map((value) => ({ value, label: t(`room.${value}`) })),
        ]}
        value={result ?? "any"}
        onChange={(next) => onSearch({ result: next === "any" ? undefined : next })}
        aria-label={t("room.unlockResult")}
        className="w-auto min-w-36"
      />
    </>
  );
}

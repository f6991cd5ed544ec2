import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import { UNLOCK_STYLES } from "@innkey/shared/words";
import { History, Pause, Play } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { useDoorConnection } from "@/entities/unlock/door-stream.ts";
import { PeriodFilter } from "@/entities/unlock/period-filter.tsx";
import { periodOf } from "@/entities/unlock/record-period.ts";
import { RECORD_RESULTS, type RecordSearch } from "@/entities/unlock/record-search.ts";
import { formatList } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { LiveMark } from "@/ui/live-mark.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { useRecordColumns } from "./record-columns.tsx";
import { reasonText, resultText, styleText } from "./record-look.tsx";
import type { RecordsOf } from "./records-query.ts";
import { useLiveRecords } from "./use-live-records.ts";

type RecordListProps = {
  /** Must be stable. */
  of: RecordsOf;
  search: RecordSearch;
  onSearch: (patch: RecordSearch) => void;
  /** Text to show while there are no records. */
  none: { title: string; description?: string };
  /** Element before the filters. */
  toolbar?: ReactNode;
};

const PAGE = 20;
const MAX_ANNOUNCED = 3;

/** Lists the records of doors, newest first, and adds new ones as they arrive. */
export function RecordList({ of, search, onSearch, none, toolbar }: RecordListProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const [paused, setPaused] = useState(false);
  const { style, result } = search;
  const { from, to } = periodOf(search, timeZone);
  const filters = useMemo(
    () => ({ from, to, style, success: result && result === "opened", limit: PAGE }),
    [from, to, style, result],
  );
  const { query, rows, fresh } = useLiveRecords(of, filters, paused);
  const columns = useRecordColumns(of);
  const narrowed = [from, to, style, result].some((filter) => filter !== undefined);

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
          filters: { from, to, style, success: filters.success, ...(of === "house" ? {} : of) },
        }}
        empty={{ icon: History, ...(narrowed ? { title: t("room.noUnlocksHere") } : none) }}
        toolbar={
          <>
            {toolbar}
            <RecordFilterBar search={search} onSearch={onSearch} />
            <LiveSwitch paused={paused} onChange={setPaused} readAt={query.dataUpdatedAt} failed={query.isError} />
          </>
        }
      />
      <p aria-live="polite" className="sr-only">
        {spoken(t, rows?.filter(({ id }) => fresh.has(id)) ?? [])}
      </p>
    </>
  );
}

/** Returns the announcement of new records for screen readers: each one if there are few, otherwise their number. */
function spoken(t: Translate, records: readonly UnlockRecord[]): string {
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
  const { t } = useTranslation();
  const connection = useDoorConnection();
  return (
    <span className="inline-flex items-center gap-1 ps-1">
      {paused ? (
        <span role="status" className="inline-flex items-center gap-1.5 text-sm text-expired">
          <Pause aria-hidden className="size-3.5" />
          {t("doors.paused")}
        </span>
      ) : (
        <LiveMark connection={connection} readAt={readAt} failed={failed} />
      )}
      <IconButton
        icon={paused ? Play : Pause}
        size="iconSm"
        label={paused ? t("doors.resume") : t("doors.pause")}
        onClick={() => onChange(!paused)}
      />
    </span>
  );
}

type RecordFiltersProps = { search: RecordSearch; onSearch: (patch: RecordSearch) => void };

/** Filters the records by period, way of opening and result. */
function RecordFilterBar({ search, onSearch }: RecordFiltersProps) {
  const { t } = useTranslation();
  const { style, result } = search;
  return (
    <>
      <PeriodFilter value={search} onChange={onSearch} />
      <Select
        options={[
          { value: "any", label: t("room.anyStyle") },
          ...UNLOCK_STYLES.map((value) => ({ value, label: t(`room.style.${value}`) })),
        ]}
        value={style ?? "any"}
        onChange={(next) => onSearch({ style: next === "any" ? undefined : next })}
        aria-label={t("room.unlockStyle")}
        className="w-auto min-w-44"
      />
      <Select
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

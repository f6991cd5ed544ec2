import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import { History } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { periodOf } from "@/entities/unlock/record-period.ts";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { formatList } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { LiveSwitch } from "./live-switch.tsx";
import { useRecordColumns } from "./record-columns.tsx";
import { RecordFilterBar } from "./record-filters.tsx";
import { reasonText, resultText, styleText } from "./record-look.tsx";
import type { RecordsOf } from "./records-query.ts";
import { useLiveRecords } from "./use-live-records.ts";

type RecordListProps = {
  /** Must be stable. */
  of: RecordsOf;
  search: RecordSearch;
  onSearch: (patch: RecordSearch) => void;
  /** What to say while nothing was ever reported. */
  none: { title: string; description?: string };
  /** Stands before the filters. */
  toolbar?: ReactNode;
};

const PAGE = 20;
const MAX_SAID = 3;

/** What doors have reported, newest first, and what they report now. */
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

/** New records as they are read out: told if few, counted if many. */
function spoken(t: Translate, records: readonly UnlockRecord[]): string {
  if (records.length > MAX_SAID) return t("doors.newRecords", { count: records.length });
  return records
    .map((record) => {
      const what = formatList([resultText(record), styleText(record), reasonText(record)].filter(Boolean));
      return record.roomName ? `${t("board.roomNamed", { name: record.roomName })}: ${what}.` : `${what}.`;
    })
    .join(" ");
}

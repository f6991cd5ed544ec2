import type { HistoryRow } from "@innkey/shared/schemas/stays/history";
import { useInfiniteQuery } from "@tanstack/react-query";
import { BedDouble } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { RoomFilter } from "@/entities/room/room-filter.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { PeriodFilter, periodOf } from "@/entities/unlock/period-filter.tsx";
import { api } from "@/lib/api.ts";
import { formatNumber, formatShort, joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/can.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import type { HistorySearch } from "../stay-search.ts";

function useHistoryColumns(): DataColumn<HistoryRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"history", HistoryRow>("history", {
        guest: {
          fixed: true,
          card: "title",
          cell: (row) => (
            <span className="flex min-w-0 items-baseline gap-2">
              <span dir="auto" className="name-run truncate font-medium">
                {row.guestName}
              </span>
              {row.otherGuests > 0 && (
                <bdi className="shrink-0 text-sm text-muted-foreground">
                  {formatNumber(row.otherGuests, { signDisplay: "always" })}
                </bdi>
              )}
            </span>
          ),
        },
        rooms: {
          cell: (row) => (
            <span className="whitespace-nowrap">
              {row.rooms.length > 1 && (
                <span className="text-muted-foreground">
                  <bdi>{joinItems(row.rooms.slice(0, -1))}</bdi> <span className="inline-block flip-rtl">→</span>{" "}
                </span>
              )}
              <bdi className="font-medium">{row.rooms.at(-1)}</bdi>
            </span>
          ),
        },
        checkedIn: {
          cell: (row) => (
            <TimeAndPerson
              when={formatShort(row.checkedInAt, timeZone)}
              by={row.checkedInByGuest ? t("history.byGuest") : row.checkedInBy}
            />
          ),
        },
        checkedOut: {
          cell: (row) =>
            row.checkedOutAt ? (
              <TimeAndPerson
                when={formatShort(row.checkedOutAt, timeZone)}
                by={row.checkedOutByGuest ? t("history.byGuest") : row.checkedOutBy}
              />
            ) : (
              <StatusChip tone="checkedIn" icon={BedDouble} size="sm">
                {t("customer.inHouse")}
              </StatusChip>
            ),
        },
      }),
    [timeZone],
  );
}

/** Shows a time, with the staff member's name below. */
function TimeAndPerson({ when, by }: { when: ReactNode; by: string | null }) {
  return (
    <span className="block">
      <span className="block whitespace-nowrap">{when}</span>
      {by && (
        <span dir="auto" className="name-run block truncate text-sm text-muted-foreground">
          {by}
        </span>
      )}
    </span>
  );
}

type HistoryPageProps = { search: HistorySearch; onSearch: (patch: HistorySearch) => void };

const PAGE_SIZE = 30;

/** Lists arrivals and departures, with the time and the staff member. */
export function HistoryPage({ search, onSearch }: HistoryPageProps) {
  const can = useCan();
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const columns = useHistoryColumns();
  const { q = "", room, from, to, range = "all" } = search;
  const input = { keyword: q, roomId: room, ...periodOf({ from, to, range }, timeZone), limit: PAGE_SIZE };
  const history = useInfiniteQuery({
    queryKey: [...trpc.stays.history.pathKey(), input],
    queryFn: ({ pageParam, signal }) => api.stays.history.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: can("stays.view"),
  });
  const rows = useMemo(() => history.data?.pages.flatMap((page) => page.rows), [history.data]);
  if (!can("stays.view")) return <NoPermission />;

  const custom = from !== undefined || to !== undefined;
  const isFiltered = q !== "" || room !== undefined || custom || range !== "all";
  return (
    <>
      <PageHeader title={t("nav.history")} description={t("history.text")} />
      <ExportedTable
        label={t("nav.history")}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.stayId)}
        error={history.error}
        onRetry={() => void history.refetch()}
        onOpen={(row) => stays.openStay(row.stayGuestId)}
        exportList={{ list: "history", filters: input }}
        more={{
          available: history.hasNextPage,
          loading: history.isFetchingNextPage,
          load: () => void history.fetchNextPage(),
        }}
        empty={
          isFiltered
            ? { drawing: EmptyLedger, title: t("history.noneFound"), description: t("history.noneFoundText") }
            : { drawing: EmptyLedger, title: t("history.none"), description: t("history.noneText") }
        }
        toolbar={
          <>
            <SearchInput
              label={t("history.search")}
              value={q}
              onChange={(next) => onSearch({ q: next || undefined })}
            />
            {can("rooms.view") && (
              <RoomFilter
                roomId={room ?? null}
                placeholder={t("passcode.allRooms")}
                onChange={(next) => onSearch({ room: next ?? undefined })}
              />
            )}
            <PeriodFilter value={search} onChange={onSearch} />
          </>
        }
      />
    </>
  );
}

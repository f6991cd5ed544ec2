import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useMemo } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { RoomFilter } from "@/entities/room/room-filter.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { PeriodFilter } from "@/entities/unlock/period-filter.tsx";
import { periodOf } from "@/entities/unlock/record-period.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { api, trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useHistoryColumns } from "./history-columns.tsx";
import type { HistorySearch } from "./history-search.ts";

type HistoryPageProps = { search: HistorySearch; onSearch: (patch: HistorySearch) => void };

const PAGE = 30;

/** Lists arrivals and departures, with the time and the staff member. */
export function HistoryPage({ search, onSearch }: HistoryPageProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const columns = useHistoryColumns();
  const { q = "", room, from, to, range = "all" } = search;
  const input = { keyword: q, roomId: room, ...periodOf({ from, to, range }, timeZone), limit: PAGE };
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
  const narrowed = q !== "" || room !== undefined || custom || range !== "all";
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
          narrowed
            ? { icon: History, title: t("history.noneFound"), description: t("history.noneFoundText") }
            : { icon: History, title: t("history.none"), description: t("history.noneText") }
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
                any={t("passcode.allRooms")}
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

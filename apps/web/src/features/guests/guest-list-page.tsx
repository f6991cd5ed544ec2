import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, CalendarPlus, CalendarX, KeyRound, LogOut, Users } from "lucide-react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { GUEST_STATES, type GuestSearch } from "@/entities/guest/guest-search.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { rangeOf } from "@/lib/time/quick-range.ts";
import { trpc } from "@/lib/trpc.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { QuickRangeSelect } from "@/ui/quick-range-select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { type GuestRow, useGuestColumns } from "./guest-columns.tsx";

const ALL = "all";

export function GuestListPage({ search }: { search: GuestSearch }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const can = useCan();
  const stays = useStayActions();
  const list = useListState();
  const columns = useGuestColumns();
  const input = {
    keyword: list.query,
    state: search.state,
    ...rangeOf(search.range, timeZone),
    page: list.page,
    pageSize: list.pageSize,
  };
  const guests = useQuery(trpc.guests.list.queryOptions(input, { placeholderData: keepPreviousData }));
  const narrowed = Boolean(list.query || search.state || search.range);

  function actions({ state, stayId }: GuestRow): RowAction<GuestRow>[] {
    if (state === "reserved") {
      return [
        { label: t("stay.checkIn"), icon: KeyRound, onSelect: () => stays.arrive(stayId) },
        { label: t("stay.changeRoom"), icon: ArrowLeftRight, onSelect: () => stays.changeRoom(stayId) },
        { label: t("stay.cancelReservation"), icon: CalendarX, danger: true, onSelect: () => stays.cancel(stayId) },
      ];
    }
    if (state !== "in" && state !== "expired") return [];
    return [
      { label: t("stay.renew"), icon: CalendarPlus, onSelect: () => stays.renew(stayId) },
      { label: t("stay.changeRoom"), icon: ArrowLeftRight, onSelect: () => stays.changeRoom(stayId) },
      { label: t("stay.checkOut"), icon: LogOut, onSelect: () => stays.checkOut(stayId) },
    ];
  }

  return (
    <>
      <PageHeader title={t("nav.guests")} />
      <ExportedTable
        label={t("nav.guests")}
        columns={columns}
        rows={guests.data?.rows}
        total={guests.data?.total}
        rowId={(row) => String(row.stayGuestId)}
        {...list.table}
        error={guests.error}
        onRetry={() => void guests.refetch()}
        stale={guests.isPlaceholderData}
        onOpen={(row) => stays.openStay(row.stayGuestId, row.otherInformation)}
        actions={can("stays.manage") ? actions : undefined}
        exportList={{ list: "guests", filters: input }}
        empty={
          narrowed
            ? { icon: Users, title: t("guest.nobodyFound"), description: t("guest.nobodyFoundText") }
            : { icon: Users, title: t("guest.nobody"), description: t("guest.nobodyText") }
        }
        toolbar={
          <>
            <SearchInput label={t("guest.search")} value={list.query} onChange={list.setQuery} />
            <div className="scroll-quiet -mx-4 max-w-[100vw] overflow-x-auto px-4 lg:mx-0 lg:px-0">
              <Segmented
                aria-label={t("guest.stateLabel")}
                className="max-w-none [&>button]:flex-auto"
                value={search.state ?? ALL}
                onChange={(state) => list.change({ state: state === ALL ? undefined : state })}
                options={[
                  { value: ALL, label: t("guest.all") },
                  ...GUEST_STATES.map((state) => ({ value: state, label: t(`guest.state.${state}`) })),
                ]}
              />
            </div>
            <QuickRangeSelect
              label={t("guest.rangeLabel")}
              value={search.range}
              onChange={(range) => list.change({ range })}
            />
          </>
        }
      />
    </>
  );
}

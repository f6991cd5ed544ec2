import type { guestRow } from "@innkey/shared/schemas/stays/stays";
import { GUEST_STATES } from "@innkey/shared/words";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, CalendarPlus, CalendarX, Coffee, KeyRound, LogOut, Users } from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { GuestStateChip } from "@/entities/guest/guest-state-chip.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { rangeOf } from "@/lib/time/quick-range.ts";
import { trpc } from "@/lib/trpc.ts";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { countryName } from "@/ui/form/countries.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { QuickRangeSelect } from "@/ui/quick-range-select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import type { GuestSearch } from "./guest-search.ts";

type GuestRow = z.infer<typeof guestRow>;

function useGuestColumns(): DataColumn<GuestRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"guests", GuestRow>("guests", {
        name: {
          fixed: true,
          card: "title",
          cell: (row) => (
            <span className="flex items-center gap-2">
              <span className="font-medium">{row.name}</span>
              {row.breakfast && (
                <Coffee aria-label={t("guest.breakfast")} className="size-4 shrink-0 text-muted-foreground" />
              )}
            </span>
          ),
        },
        state: { card: "status", cell: (row) => <GuestStateChip state={row.state} size="sm" /> },
        room: { cell: (row) => <bdi className="font-medium">{row.roomName}</bdi> },
        arrival: { cell: (row) => formatShort(row.startsAt, timeZone), className: "whitespace-nowrap" },
        departure: { cell: (row) => formatShort(row.endsAt, timeZone), className: "whitespace-nowrap" },
        mobile: { cell: (row) => <bdi className="ltr-run whitespace-nowrap">{row.mobile || "–"}</bdi> },
        nationality: { cell: (row) => countryName(row.nationality), card: "none" },
        documentNumber: { hidden: true, cell: (row) => <bdi className="ltr-run">{row.documentNumber || "–"}</bdi> },
        otherInformation: { hidden: true, className: "max-w-64 truncate", cell: (row) => row.otherInformation || "–" },
      }),
    [timeZone],
  );
}

const ALL = "all";

export function GuestListPage({ search }: { search: GuestSearch }) {
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
  const isFiltered = Boolean(list.query || search.state || search.range);

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
          isFiltered
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

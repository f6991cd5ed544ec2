import { daysBetween } from "@innkey/shared/hotel-time";
import { sortsOf } from "@innkey/shared/lists";
import { nightsOf } from "@innkey/shared/price-rules";
import type { guestListRow } from "@innkey/shared/schemas/stays/stays";
import { GUEST_STATES } from "@innkey/shared/words";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, CalendarPlus, CalendarX, Coffee, KeyRound, LogOut, Undo2, UserX } from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { GuestStateChip } from "@/entities/guest/guest-state-chip.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatNumber, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { DAY_RANGES } from "@/lib/search-params.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { daysRange, rangeOf } from "@/lib/time/quick-range.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { countryName } from "@/ui/form/countries.ts";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { DayPeriodSelect } from "@/ui/quick-range-select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { type GuestSearch, PERIOD_PARTS } from "./guest-search.ts";

type GuestRow = z.infer<typeof guestListRow>;

type ListState = GuestRow["state"] | "all";

/** States whose stays are few enough to be sorted by what they owe. */
const OPEN_STATES: readonly ListState[] = ["in", "expired", "reserved"];

/** What the desk looks for first: rooms in the house, the next arrivals, the latest departures. */
const FIRST_SORT: Partial<Record<ListState, string>> = {
  in: "room",
  expired: "room",
  reserved: "arrival",
  out: "-departure",
};

const SORTS: readonly string[] = sortsOf("guests");

/** An order from the address, if the list has it. */
function sortOf(sort: string | undefined, state: ListState, seesMoney: boolean): string {
  const byBalance = sort?.endsWith("balance");
  if (sort && SORTS.includes(sort) && (!byBalance || (seesMoney && OPEN_STATES.includes(state)))) return sort;
  return FIRST_SORT[state] ?? "-arrival";
}

function useGuestColumns(state: ListState): DataColumn<GuestRow>[] {
  const hotel = useHotel();
  const { timeZone, currency } = hotel;
  const can = useCan();
  const [seesMoney, seesCards] = [can("folio.view"), can("cards.view")];
  const canSortByBalance = OPEN_STATES.includes(state);
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
        room: { cell: (row) => <bdi className="figures">{row.roomName}</bdi> },
        arrival: { cell: (row) => formatShort(row.startsAt, timeZone), className: "whitespace-nowrap" },
        departure: { cell: (row) => formatShort(row.endsAt, timeZone), className: "whitespace-nowrap" },
        nights: {
          align: "end",
          cell: (row) => {
            const { first, end } = nightsOf(row, hotel);
            return formatNumber(daysBetween(first, end));
          },
        },
        balance: seesMoney && {
          align: "end",
          className: "whitespace-nowrap",
          cell: ({ balanceMinor }) => (
            <span className={cn(balanceMinor ? balanceMinor > 0 && "text-expired" : "text-muted-foreground")}>
              {formatMoney(balanceMinor ?? 0, currency)}
            </span>
          ),
        },
        cards: seesCards && { align: "end", cell: ({ cardCount }) => formatNumber(cardCount ?? 0) },
        mobile: { cell: (row) => <bdi className="ltr-run whitespace-nowrap">{row.mobile || "–"}</bdi> },
        nationality: { hidden: true, cell: (row) => countryName(row.nationality), card: "none" },
        documentNumber: { hidden: true, cell: (row) => <bdi className="ltr-run">{row.documentNumber || "–"}</bdi> },
        otherInformation: { hidden: true, className: "max-w-64 truncate", cell: (row) => row.otherInformation || "–" },
      }).map((column) => (column.id === "balance" && !canSortByBalance ? { ...column, sortable: false } : column)),
    [hotel, timeZone, currency, seesMoney, seesCards, canSortByBalance],
  );
}

const ALL = "all";

export function GuestListPage({ search }: { search: GuestSearch }) {
  const { timeZone } = useHotel();
  const can = useCan();
  const stays = useStayActions();
  const list = useListState();
  const isFiltered = Boolean(list.query || search.range);
  // Whoever looks for a name or a day looks in all states.
  const state: ListState = search.state ?? (isFiltered ? ALL : "in");
  const columns = useGuestColumns(state);
  const period =
    search.range === "custom" ? daysRange(search.from, search.to, timeZone) : rangeOf(search.range, timeZone);
  const by = search.by ?? "stay";
  const sort = sortOf(search.sort, state, can("folio.view"));
  const filters = { keyword: list.query, ...period, by };
  const input = { ...filters, state: state === ALL ? undefined : state, sort: sort as never };
  const guests = useQuery(
    trpc.guests.list.queryOptions(
      { ...input, page: list.page, pageSize: list.pageSize },
      { placeholderData: keepPreviousData },
    ),
  );
  const counts = useQuery(trpc.guests.counts.queryOptions(filters, { placeholderData: keepPreviousData }));
  const tabOf = (tab: GuestRow["state"]) => {
    const count = counts.data?.[tab];
    const label = t(`guest.state.${tab}`);
    return { value: tab, label: count ? `${label} ${formatNumber(count)}` : label };
  };

  function actions({ state, stayId, startsAt, endsAt, undoable }: GuestRow): RowAction<GuestRow>[] {
    if (state === "reserved") {
      return [
        { label: t("stay.checkIn"), icon: KeyRound, onSelect: () => stays.arrive(stayId) },
        { label: t("stay.changeRoom"), icon: ArrowLeftRight, onSelect: () => stays.changeRoom(stayId) },
        ...(Date.parse(startsAt) <= Date.now()
          ? [{ label: t("stay.noShow"), icon: UserX, onSelect: () => stays.noShow(stayId) }]
          : []),
        { label: t("stay.cancelReservation"), icon: CalendarX, danger: true, onSelect: () => stays.cancel(stayId) },
      ];
    }
    if ((state === "cancelled" || state === "no_show") && Date.parse(endsAt) > Date.now()) {
      return [{ label: t("stay.reinstate"), icon: Undo2, onSelect: () => stays.reinstate(stayId) }];
    }
    if (undoable && state === "out")
      return [{ label: t("stay.undoCheckOut"), icon: Undo2, onSelect: () => stays.undoCheckOut(stayId) }];
    if (state !== "in" && state !== "expired") return [];
    return [
      { label: t("stay.renew"), icon: CalendarPlus, onSelect: () => stays.renew(stayId) },
      { label: t("stay.changeRoom"), icon: ArrowLeftRight, onSelect: () => stays.changeRoom(stayId) },
      { label: t("stay.checkOut"), icon: LogOut, onSelect: () => stays.checkOut(stayId) },
      ...(undoable ? [{ label: t("stay.undoCheckIn"), icon: Undo2, onSelect: () => stays.undoCheckIn(stayId) }] : []),
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
        state={{ ...list.table.state, sort }}
        error={guests.error}
        onRetry={() => void guests.refetch()}
        stale={guests.isPlaceholderData}
        onOpen={(row) => stays.openStay(row.stayGuestId, row.otherInformation)}
        actions={can("stays.manage") ? actions : undefined}
        exportList={{ list: "guests", filters: input }}
        empty={
          isFiltered || search.state
            ? { drawing: EmptyCorridor, title: t("guest.nobodyFound"), description: t("guest.nobodyFoundText") }
            : { drawing: EmptyCorridor, title: t("guest.nobody"), description: t("guest.nobodyText") }
        }
        toolbar={
          <>
            <SearchInput label={t("guest.search")} value={list.query} onChange={list.setQuery} className="sm:w-84" />
            <div className="scroll-quiet -mx-4 max-w-[100vw] overflow-x-auto px-4 lg:mx-0 lg:px-0">
              <Segmented
                aria-label={t("guest.stateLabel")}
                className="max-w-none [&>button]:flex-auto"
                value={state}
                onChange={(next) => list.change({ state: next, sort: undefined })}
                options={[...GUEST_STATES.map(tabOf), { value: ALL, label: t("guest.all") }]}
              />
            </div>
            <DayPeriodSelect
              label={t("guest.rangeLabel")}
              ranges={DAY_RANGES}
              value={search}
              onChange={(next) => list.change(next)}
            />
            {search.range && (
              <SelectInput
                aria-label={t("guest.periodPart")}
                className="w-auto min-w-36"
                value={by}
                onChange={(next) => list.change({ by: next === "stay" ? undefined : next })}
                options={PERIOD_PARTS.map((part) => ({ value: part, label: t(`guest.by.${part}`) }))}
              />
            )}
          </>
        }
      />
    </>
  );
}

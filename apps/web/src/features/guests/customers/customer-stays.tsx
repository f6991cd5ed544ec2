import type { CustomerStayRow } from "@innkey/shared/schemas/stays/customers";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { BedDouble } from "lucide-react";
import { useMemo } from "react";
import { GuestStateChip } from "@/entities/guest/guest-state-chip.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatMoney, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import type { DataColumn } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";

/** Lists the customer's bookings, latest arrival first. */
export function CustomerStays({ customerId }: { customerId: number }) {
  const { t } = useTranslation();
  const actions = useStayActions();
  const list = useListState();
  const columns = useStayColumns();
  const input = { customerId, page: list.page, pageSize: list.pageSize };
  const stays = useQuery(trpc.customers.stays.queryOptions(input, { placeholderData: keepPreviousData }));
  return (
    <DataTable
      label={t("customer.stayList")}
      columns={columns}
      rows={stays.data?.rows}
      total={stays.data?.total}
      rowId={(row) => String(row.stayId)}
      {...list.table}
      error={stays.error}
      onRetry={() => void stays.refetch()}
      stale={stays.isPlaceholderData}
      onOpen={(row) => actions.openStay(row.stayGuestId)}
      empty={{ icon: BedDouble, title: t("customer.noStays"), description: t("customer.noStaysText") }}
      toolbar={<h2 className="text-lg font-semibold">{t("customer.stayList")}</h2>}
    />
  );
}

function useStayColumns(): DataColumn<CustomerStayRow>[] {
  const { t } = useTranslation();
  const { timeZone, currency } = useHotel();
  return useMemo(
    (): DataColumn<CustomerStayRow>[] => [
      {
        id: "guest",
        header: t("guest.detail"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span dir="auto" className="name-run font-medium">
            {row.guestName}
          </span>
        ),
      },
      {
        id: "state",
        header: t("guest.stateLabel"),
        card: "status",
        cell: (row) => <GuestStateChip state={row.state} size="sm" />,
      },
      { id: "room", header: t("guest.room"), cell: (row) => <bdi className="font-medium">{row.roomName}</bdi> },
      {
        id: "arrival",
        header: t("guest.arrival"),
        className: "whitespace-nowrap",
        cell: (row) => formatShort(row.startsAt, timeZone),
      },
      {
        id: "departure",
        header: t("guest.departure"),
        className: "whitespace-nowrap",
        cell: (row) => formatShort(row.endsAt, timeZone),
      },
      {
        id: "owed",
        header: t("customer.owed"),
        align: "end",
        cell: (row) =>
          row.owedMinor === 0 ? (
            <span className="text-faint-foreground">–</span>
          ) : (
            <span className={row.owedMinor > 0 ? "font-medium text-expired" : undefined}>
              {formatMoney(row.owedMinor, currency)}
            </span>
          ),
      },
    ],
    [t, timeZone, currency],
  );
}

import type { guestRow } from "@innkey/shared/schemas/stays/stays";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Coffee, Users } from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatDateTime, formatDuration } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";

type Tenant = z.infer<typeof guestRow>;

const TONES: Record<Tenant["state"], StatusTone> = {
  in: "checkedIn",
  expired: "expired",
  reserved: "reserved",
  out: "neutral",
  cancelled: "neutral",
};

/** Lists all past, present and future guests of the room. */
export function RoomTenants({ roomId }: { roomId: number }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const list = useListState();
  const input = { roomId, page: list.page, pageSize: list.pageSize };
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.guests.list.queryOptions(input, { placeholderData: keepPreviousData }),
  );

  const columns = useMemo(
    (): DataColumn<Tenant>[] => [
      { id: "name", header: t("room.tenant"), fixed: true, card: "title", cell: (row) => row.name },
      {
        id: "state",
        header: t("room.tenantState"),
        card: "status",
        cell: (row) => (
          <StatusChip tone={TONES[row.state]} size="sm">
            {t(`room.state.${row.state}`)}
          </StatusChip>
        ),
      },
      { id: "startsAt", header: t("room.checkIn"), cell: (row) => formatDateTime(row.startsAt, timeZone) },
      { id: "endsAt", header: t("room.checkOut"), cell: (row) => formatDateTime(row.endsAt, timeZone) },
      {
        id: "left",
        header: t("board.left"),
        align: "end",
        cell: (row) =>
          row.state === "in"
            ? formatDuration(Date.parse(row.endsAt) - Date.now())
            : row.state === "expired"
              ? t("status.overdue")
              : "–",
      },
      {
        id: "breakfast",
        header: t("board.breakfast"),
        cell: (row) =>
          row.breakfast ? (
            <Coffee aria-label={t("room.withBreakfast")} className="size-4 text-muted-foreground" />
          ) : (
            "–"
          ),
      },
      { id: "mobile", header: t("room.contact"), cell: (row) => <bdi>{row.mobile || "–"}</bdi> },
      {
        id: "otherInformation",
        header: t("room.otherInformation"),
        hidden: true,
        cell: (row) => row.otherInformation || "–",
      },
    ],
    [t, timeZone],
  );

  return (
    <DataTable
      label={t("room.tenants")}
      columns={columns}
      rows={data?.rows}
      total={data?.total}
      rowId={(row) => String(row.stayGuestId)}
      {...list.table}
      error={error}
      onRetry={() => void refetch()}
      stale={isPlaceholderData}
      onOpen={(row) => stays.openStay(row.stayGuestId, row.otherInformation)}
      empty={{ icon: Users, title: t("room.noTenants"), description: t("room.noTenantsText") }}
    />
  );
}

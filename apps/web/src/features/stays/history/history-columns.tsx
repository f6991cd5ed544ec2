import type { HistoryRow } from "@innkey/shared/schemas/history";
import { BedDouble } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

export function useHistoryColumns(): DataColumn<HistoryRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<HistoryRow>[] => [
      {
        id: "guest",
        header: t("guest.name"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="flex min-w-0 items-baseline gap-2">
            <span dir="auto" className="name-run truncate font-medium">
              {row.guestName}
            </span>
            {row.otherGuests > 0 && (
              <bdi className="shrink-0 text-sm text-muted-foreground">+{formatNumber(row.otherGuests)}</bdi>
            )}
          </span>
        ),
      },
      {
        id: "room",
        header: t("guest.room"),
        cell: (row) => (
          <span className="whitespace-nowrap">
            {row.rooms.length > 1 && (
              <span className="text-muted-foreground">
                <bdi>{row.rooms.slice(0, -1).join(", ")}</bdi> <span className="inline-block flip-rtl">→</span>{" "}
              </span>
            )}
            <bdi className="font-medium">{row.rooms.at(-1)}</bdi>
          </span>
        ),
      },
      {
        id: "in",
        header: t("history.checkedIn"),
        cell: (row) => <Done when={formatShort(row.checkedInAt, timeZone)} by={row.checkedInBy} />,
      },
      {
        id: "out",
        header: t("history.checkedOut"),
        cell: (row) =>
          row.checkedOutAt ? (
            <Done when={formatShort(row.checkedOutAt, timeZone)} by={row.checkedOutBy} />
          ) : (
            <StatusChip tone="checkedIn" icon={BedDouble} size="sm">
              {t("customer.inHouse")}
            </StatusChip>
          ),
      },
    ],
    [t, timeZone],
  );
}

/** Shows a time, with the staff member's name below. */
function Done({ when, by }: { when: ReactNode; by: string | null }) {
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

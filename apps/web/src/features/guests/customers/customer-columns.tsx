import { Building2, User } from "lucide-react";
import { useMemo } from "react";
import { formatDate, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";
import { CustomerChip } from "./customer-chip.tsx";
import type { CustomerRow } from "./customer-dialog.tsx";

export function useCustomerColumns(): DataColumn<CustomerRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<CustomerRow>[] => [
      {
        id: "name",
        header: t("customer.name"),
        fixed: true,
        sortable: true,
        card: "title",
        cell: (row) => {
          const Icon = row.kind === "company" ? Building2 : User;
          return (
            <span className="flex min-w-0 items-center gap-2.5">
              <Icon aria-label={t(`customer.kindOf.${row.kind}`)} className="size-4 shrink-0 text-muted-foreground" />
              <span className="min-w-0">
                <span dir="auto" className="name-run block truncate font-medium">
                  {row.name}
                </span>
                {row.company && row.company !== row.name && (
                  <span dir="auto" className="name-run block truncate text-sm font-normal text-muted-foreground">
                    {row.company}
                  </span>
                )}
              </span>
            </span>
          );
        },
      },
      {
        id: "state",
        header: t("customer.state"),
        card: "status",
        cell: (row) =>
          row.frozen || row.inHouse ? (
            <CustomerChip customer={row} size="sm" />
          ) : (
            <span className="text-faint-foreground max-lg:hidden">–</span>
          ),
      },
      {
        id: "mobile",
        header: t("customer.mobile"),
        cell: (row) => <bdi className="ltr-run whitespace-nowrap">{row.mobile || "–"}</bdi>,
      },
      { id: "email", header: t("customer.email"), className: "max-w-60 truncate", cell: (row) => row.email || "–" },
      {
        id: "stays",
        header: t("customer.stays"),
        sortable: true,
        align: "end",
        cell: (row) => formatNumber(row.stayCount),
      },
      {
        id: "since",
        header: t("customer.since"),
        sortable: true,
        card: "none",
        className: "whitespace-nowrap",
        cell: (row) => formatDate(row.createdAt, timeZone),
      },
      {
        id: "note",
        header: t("customer.note"),
        hidden: true,
        className: "max-w-64 truncate",
        cell: (row) => row.note || "–",
      },
    ],
    [t, timeZone],
  );
}

import type { TemplateRow } from "@innkey/shared/schemas/price-templates";
import { useMemo } from "react";
import { formatList, formatMoney, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DataColumn } from "@/ui/table/columns.ts";

const MAX_LISTED = 6;

export function useTemplateColumns(): DataColumn<TemplateRow>[] {
  const { t } = useTranslation();
  const { currency } = useHotel();
  return useMemo((): DataColumn<TemplateRow>[] => {
    const price = (id: "usualMinor" | "weekendMinor" | "depositMinor", header: string): DataColumn<TemplateRow> => ({
      id,
      header,
      align: "end",
      sortable: true,
      value: (row) => row[id],
      cell: (row) => formatMoney(row[id], currency),
    });
    return [
      {
        id: "name",
        header: t("priceTemplates.name"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.name,
        cell: (row) => (
          <bdi className="block truncate font-medium" dir="auto">
            {row.name}
          </bdi>
        ),
      },
      price("usualMinor", t("prices.usual")),
      price("weekendMinor", t("prices.weekend")),
      price("depositMinor", t("prices.deposit")),
      {
        id: "dates",
        header: t("prices.special"),
        align: "end",
        sortable: true,
        value: (row) => row.dateCount,
        cell: (row) => (row.dateCount === 0 ? "–" : formatNumber(row.dateCount)),
      },
      {
        id: "rooms",
        header: t("priceTemplates.rooms"),
        sortable: true,
        value: (row) => row.rooms.length,
        cell: (row) => <RoomsOf row={row} />,
      },
    ];
  }, [t, currency]);
}

/** Shows a few rooms by name, many as a number. The tooltip lists all of them. */
function RoomsOf({ row: { rooms } }: { row: TemplateRow }) {
  const { t } = useTranslation();
  if (rooms.length === 0) return <span className="text-muted-foreground">{t("priceTemplates.noRooms")}</span>;
  const names = formatList(rooms.map(({ name }) => name));
  return rooms.length <= MAX_LISTED ? (
    <bdi>{names}</bdi>
  ) : (
    <span title={names}>{t("priceTemplates.roomCount", { count: rooms.length })}</span>
  );
}

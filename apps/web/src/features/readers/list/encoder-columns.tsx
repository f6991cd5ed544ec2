import type { EncoderRow } from "@innkey/shared/schemas/encoders";
import { useMemo } from "react";
import { OnlineChip } from "@/entities/reader/online-chip.tsx";
import { formatDate, formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Badge } from "@/ui/primitives/badge.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { HolderName } from "./holder-name.tsx";

/** `here` is the number of the reader at this desk. */
export function useEncoderColumns(here: string | undefined): DataColumn<EncoderRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<EncoderRow>[] => [
      {
        id: "name",
        header: t("encoder.name"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="flex min-w-0 items-center gap-2">
            <span dir="auto" className="name-run truncate font-medium">
              {row.name}
            </span>
            {row.deviceNo === here && <Badge variant="brass">{t("encoder.here")}</Badge>}
          </span>
        ),
      },
      {
        id: "state",
        header: t("encoder.state"),
        card: "status",
        cell: (row) => <OnlineChip online={row.online} />,
      },
      {
        id: "deviceNo",
        header: t("encoder.deviceNo"),
        cell: (row) => <bdi className="ltr-run font-mono">{row.deviceNo}</bdi>,
      },
      { id: "type", header: t("encoder.type"), cell: (row) => t("reader.type", { number: row.type }) },
      { id: "holder", header: t("encoder.boundTo"), cell: (row) => <HolderName holder={row.holder} /> },
      {
        id: "lastSeen",
        header: t("encoder.lastSeen"),
        className: "whitespace-nowrap",
        cell: (row) => (row.lastSeenAt ? formatRelative(row.lastSeenAt) : t("encoder.never")),
      },
      {
        id: "note",
        header: t("encoder.note"),
        hidden: true,
        className: "max-w-64 truncate",
        cell: (row) => row.note || "–",
      },
      {
        id: "since",
        header: t("encoder.since"),
        hidden: true,
        className: "whitespace-nowrap",
        cell: (row) => formatDate(row.createdAt, timeZone),
      },
    ],
    [t, timeZone, here],
  );
}

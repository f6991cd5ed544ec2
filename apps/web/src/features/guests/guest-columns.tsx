import type { guestRow } from "@innkey/shared/schemas/stays";
import { Coffee } from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import { GuestStateChip } from "@/entities/guest/guest-state-chip.tsx";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { countryName } from "@/ui/form/countries.ts";
import type { DataColumn } from "@/ui/table/columns.ts";

export type GuestRow = z.infer<typeof guestRow>;

export function useGuestColumns(): DataColumn<GuestRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<GuestRow>[] => [
      {
        id: "name",
        header: t("guest.name"),
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
        cell: (row) => formatShort(row.startsAt, timeZone),
        className: "whitespace-nowrap",
      },
      {
        id: "departure",
        header: t("guest.departure"),
        cell: (row) => formatShort(row.endsAt, timeZone),
        className: "whitespace-nowrap",
      },
      {
        id: "mobile",
        header: t("guest.mobile"),
        cell: (row) => <bdi className="ltr-run whitespace-nowrap">{row.mobile || "–"}</bdi>,
      },
      { id: "nationality", header: t("guest.nationality"), cell: (row) => countryName(row.nationality), card: "none" },
      {
        id: "document",
        header: t("guest.documentNumber"),
        hidden: true,
        cell: (row) => <bdi className="ltr-run">{row.documentNumber || "–"}</bdi>,
      },
      {
        id: "other",
        header: t("guest.otherInformation"),
        hidden: true,
        className: "max-w-64 truncate",
        cell: (row) => row.otherInformation || "–",
      },
    ],
    [t, timeZone],
  );
}

import type { ProfileRow } from "@innkey/shared/schemas/cards";
import { CircleCheck, CircleDashed } from "lucide-react";
import { useMemo } from "react";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Progress } from "@/ui/primitives/progress.tsx";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

export function useKeyColumns(): DataColumn<ProfileRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<ProfileRow>[] => [
      {
        id: "since",
        header: t("encryption.since"),
        fixed: true,
        card: "title",
        className: "whitespace-nowrap",
        cell: ({ createdAt }) => <span className="font-medium">{formatShort(createdAt, timeZone)}</span>,
      },
      {
        id: "state",
        header: t("card.stateLabel"),
        card: "status",
        cell: ({ retiredAt }) =>
          retiredAt === null ? (
            <StatusChip tone="success" icon={CircleCheck} size="sm">
              {t("encryption.inUse")}
            </StatusChip>
          ) : (
            <span className="inline-flex flex-wrap items-center gap-x-2">
              <StatusChip tone="neutral" icon={CircleDashed} size="sm">
                {t("encryption.retired")}
              </StatusChip>
              <span className="text-xs text-muted-foreground max-lg:hidden">{formatShort(retiredAt, timeZone)}</span>
            </span>
          ),
      },
      { id: "cipher", header: t("encryption.cipher"), cell: ({ cipher }) => (cipher === "aes" ? "AES" : "DES") },
      {
        id: "locks",
        header: t("encryption.locks"),
        cell: ({ locksConfirmed, locksTotal }) => {
          if (locksTotal === 0) return <span className="text-muted-foreground">{t("encryption.noLocks")}</span>;
          const words = t("encryption.ofLocks", {
            confirmed: formatNumber(locksConfirmed),
            total: formatNumber(locksTotal),
          });
          return (
            <span className="inline-grid min-w-36 gap-1">
              <span className="text-sm tabular-nums">{words}</span>
              <Progress value={(100 * locksConfirmed) / locksTotal} label={words} />
            </span>
          );
        },
      },
      {
        id: "cards",
        header: t("encryption.cards"),
        align: "end",
        cell: ({ cards }) => <span className="tabular-nums">{formatNumber(cards)}</span>,
      },
      {
        id: "place",
        header: t("encryption.place"),
        cell: ({ sectors, block }) => (
          <bdi className="tabular-nums">
            {sectors.map((sector) => formatNumber(sector)).join(", ")} / {formatNumber(block)}
          </bdi>
        ),
      },
      {
        id: "keyType",
        header: t("encryption.keyType"),
        cell: ({ keyType }) => (keyType === "A" ? t("reader.block.keyA") : t("reader.block.keyB")),
      },
      {
        id: "siteCode",
        header: t("encryption.siteCode"),
        align: "end",
        cell: ({ siteCode }) => <bdi className="tabular-nums">{siteCode}</bdi>,
      },
    ],
    [t, timeZone],
  );
}

import type { ProfileRow } from "@innkey/shared/schemas/access/cards";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, KeySquare, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel, useMe } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { NewKeysDialog } from "../new-keys-dialog.tsx";

function useKeyColumns(): DataColumn<ProfileRow>[] {
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
              <Progress value={(100 * locksConfirmed) / locksTotal} aria-label={words} />
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

/**
 * Keys that cards are written with; only for staff members with explicit authority over them (source: specification,
 * section 6).
 */
export function EncryptionPage() {
  const { apiKeyAuth } = useMe();
  const allowed = useCan()("encryption.manage") && apiKeyAuth;
  return allowed ? <Generations /> : <NoPermission />;
}

function Generations() {
  const { t } = useTranslation();
  const columns = useKeyColumns();
  const [adding, setAdding] = useState(false);
  const profiles = useQuery(trpc.cards.profiles.queryOptions());
  const add = (
    <ActionButton onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {t("encryption.newKeys")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t("encryption.title")} description={t("encryption.text")} actions={add} />
      <DataTable
        label={t("encryption.generations")}
        columns={columns}
        rows={profiles.data}
        rowId={({ id }) => String(id)}
        error={profiles.error}
        onRetry={() => void profiles.refetch()}
        empty={{ icon: KeySquare, title: t("encryption.none"), description: t("encryption.noneText"), action: add }}
      />
      {adding && <NewKeysDialog inUse={profiles.data?.[0]} onClose={() => setAdding(false)} />}
    </>
  );
}

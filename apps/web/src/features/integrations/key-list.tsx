import { API_SCOPES } from "@innkey/shared/api-scopes";
import type { KeyRow } from "@innkey/shared/schemas/messaging/integrations";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock, KeyRound } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatList, formatRelative, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn, RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";

const LOOK = {
  live: { tone: "success", icon: CircleCheck },
  expired: { tone: "expired", icon: Clock },
  revoked: { tone: "neutral", icon: Ban },
} as const;

function useApiKeyColumns(): DataColumn<KeyRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<KeyRow>[] => [
      {
        id: "name",
        header: t("third.name"),
        fixed: true,
        card: "title",
        cell: ({ name, keyId }) => (
          <span className="block min-w-0">
            <span className="block truncate font-medium">
              <bdi>{name}</bdi>
            </span>
            <bdi className="block truncate font-mono text-xs font-normal text-muted-foreground">ik_{keyId}_…</bdi>
          </span>
        ),
      },
      {
        id: "state",
        header: t("third.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...LOOK[state]} size="sm">
            {t(`third.keyState.${state}`)}
          </StatusChip>
        ),
      },
      {
        id: "scopes",
        header: t("third.mayDo"),
        className: "min-w-56 max-w-sm",
        cell: ({ scopes }) => (
          <span className="line-clamp-3 text-sm whitespace-normal">
            {formatList(API_SCOPES.filter((one) => scopes.includes(one)).map((one) => t(`staff.capability.${one}`)))}
          </span>
        ),
      },
      {
        id: "expires",
        header: t("third.expires"),
        className: "whitespace-nowrap",
        cell: ({ expiresAt }) => (expiresAt ? formatShort(expiresAt, timeZone) : t("third.expiry.never")),
      },
      {
        id: "lastUsed",
        header: t("third.lastUsed"),
        cell: ({ lastUsedAt, lastUsedAddress }) =>
          lastUsedAt ? (
            <span className="block">
              <time
                dateTime={lastUsedAt}
                title={formatDateTime(lastUsedAt, timeZone)}
                className="block whitespace-nowrap"
              >
                {formatRelative(lastUsedAt)}
              </time>
              <bdi className="block font-mono text-xs text-muted-foreground">{lastUsedAddress}</bdi>
            </span>
          ) : (
            <span className="text-muted-foreground">{t("third.neverUsed")}</span>
          ),
      },
      {
        id: "created",
        header: t("third.created"),
        cell: ({ createdAt, operatorName }) => (
          <span className="block">
            <span className="block whitespace-nowrap">{formatShort(createdAt, timeZone)}</span>
            <bdi className="block truncate text-sm text-muted-foreground">{operatorName}</bdi>
          </span>
        ),
      },
    ],
    [t, timeZone],
  );
}

export function KeyList({ create }: { create: ReactNode }) {
  const { t } = useTranslation();
  const columns = useApiKeyColumns();
  const { data, error, refetch } = useQuery(trpc.integrations.keys.queryOptions());
  const revoke = useMutation(trpc.integrations.revokeKey.mutationOptions());

  function askToRevoke({ id, name }: KeyRow): void {
    void confirm({
      title: t("third.revokeTitle", { name }),
      description: t("third.revokeText"),
      confirmLabel: t("third.revoke"),
      tone: "danger",
      action: async () => {
        await revoke.mutateAsync({ id });
        toast.success(t("third.revoked", { name }));
      },
    });
  }

  function actions({ state }: KeyRow): RowAction<KeyRow>[] {
    return state === "revoked" ? [] : [{ label: t("third.revoke"), icon: Ban, danger: true, onSelect: askToRevoke }];
  }

  return (
    <DataTable
      label={t("third.tab.keys")}
      columns={columns}
      rows={data}
      rowId={({ id }) => String(id)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{ icon: KeyRound, title: t("third.noKeys"), description: t("third.noKeysText"), action: create }}
    />
  );
}

import { API_SCOPES } from "@innkey/shared/api-scopes";
import type { KeyRow } from "@innkey/shared/schemas/integrations";
import { Ban, CircleCheck, Clock } from "lucide-react";
import { useMemo } from "react";
import { formatDateTime, formatList, formatRelative, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

const LOOK = {
  live: { tone: "success", icon: CircleCheck },
  expired: { tone: "expired", icon: Clock },
  revoked: { tone: "neutral", icon: Ban },
} as const;

export function useApiKeyColumns(): DataColumn<KeyRow>[] {
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

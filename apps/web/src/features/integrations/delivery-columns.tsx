import type { DeliveryRow } from "@innkey/shared/schemas/integrations";
import { CircleCheck, CircleX, Clock, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip, type StatusTone } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { eventWords } from "./event-words.ts";

export const DELIVERY_LOOK: Record<DeliveryRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "info", icon: Clock },
  delivered: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
};

/** Returns the result of the last attempt as text; "" before the first attempt. */
export function answerWords(t: Translate, { lastError, lastStatus }: DeliveryRow): string {
  if (lastError === "") return lastStatus === null ? "" : t("third.error.answer", { status: lastStatus });
  return t(`third.error.${lastError}`, { status: lastStatus ?? "" });
}

export function useDeliveryColumns(): DataColumn<DeliveryRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<DeliveryRow>[] => [
      {
        id: "event",
        header: t("third.what"),
        fixed: true,
        card: "title",
        cell: ({ event }) => (
          <span className="block min-w-0">
            <span className="block font-medium">{eventWords(event)}</span>
            <bdi className="block truncate font-mono text-xs font-normal text-muted-foreground">{event}</bdi>
          </span>
        ),
      },
      {
        id: "state",
        header: t("third.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...DELIVERY_LOOK[state]} size="sm">
            {t(`third.deliveryState.${state}`)}
          </StatusChip>
        ),
      },
      {
        id: "answer",
        header: t("third.answer"),
        className: "whitespace-normal",
        cell: (row) => answerWords(t, row) || "–",
      },
      {
        id: "tries",
        header: t("third.tries"),
        align: "end",
        cell: ({ tries }) => <span className="tabular-nums">{formatNumber(tries)}</span>,
      },
      {
        id: "createdAt",
        header: t("third.at"),
        className: "whitespace-nowrap",
        cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt, timeZone)}</time>,
      },
      {
        id: "deliveredAt",
        header: t("third.deliveryState.delivered"),
        className: "whitespace-nowrap",
        cell: ({ deliveredAt }) =>
          deliveredAt ? <time dateTime={deliveredAt}>{formatDateTime(deliveredAt, timeZone)}</time> : "–",
      },
    ],
    [t, timeZone],
  );
}

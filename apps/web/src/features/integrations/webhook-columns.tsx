import type { WebhookRow } from "@innkey/shared/schemas/messaging/integrations";
import { TEST_EVENT, WEBHOOK_EVENTS } from "@innkey/shared/webhook-events";
import { CircleAlert, CircleCheck, CirclePause, type LucideIcon, Unplug } from "lucide-react";
import { useMemo } from "react";
import { formatDateTime, formatList, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { t, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

const KNOWN_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** Returns the text for an event. An event that this version doesn't know is shown by its name. */
export function eventWords(event: string): string {
  const knownEvent = KNOWN_EVENTS.find((one) => one === event);
  return knownEvent ? t(`third.event.${knownEvent}`) : event;
}

const LOOK: Record<WebhookRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  on: { tone: "success", icon: CircleCheck },
  failing: { tone: "expired", icon: CircleAlert },
  off: { tone: "neutral", icon: CirclePause },
  given_up: { tone: "danger", icon: Unplug },
};

export function useWebhookColumns(): DataColumn<WebhookRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<WebhookRow>[] => [
      {
        id: "name",
        header: t("third.name"),
        fixed: true,
        card: "title",
        className: "max-w-xs",
        cell: ({ name, url }) => (
          <span className="block min-w-0">
            <span className="block truncate font-medium">
              <bdi>{name}</bdi>
            </span>
            <bdi dir="ltr" className="block truncate font-mono text-xs font-normal text-muted-foreground" title={url}>
              {url}
            </bdi>
          </span>
        ),
      },
      { id: "state", header: t("third.state"), card: "status", cell: (row) => <State row={row} /> },
      {
        id: "events",
        header: t("third.events"),
        className: "min-w-56 max-w-sm",
        cell: ({ events }) => (
          <span className="line-clamp-3 text-sm whitespace-normal">{formatList(events.map(eventWords))}</span>
        ),
      },
      {
        id: "queued",
        header: t("third.waiting"),
        align: "end",
        cell: ({ queued }) => <span className="tabular-nums">{formatNumber(queued)}</span>,
      },
      {
        id: "failed",
        header: t("third.refused"),
        align: "end",
        cell: ({ failed }) => <span className="tabular-nums">{formatNumber(failed)}</span>,
      },
      {
        id: "lastDelivered",
        header: t("third.lastDelivered"),
        className: "whitespace-nowrap",
        cell: ({ lastDeliveredAt }) =>
          lastDeliveredAt ? (
            <time dateTime={lastDeliveredAt} title={formatDateTime(lastDeliveredAt, timeZone)}>
              {formatRelative(lastDeliveredAt)}
            </time>
          ) : (
            "–"
          ),
      },
    ],
    [t, timeZone],
  );
}

function State({ row }: { row: WebhookRow }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { state, failures, failingSince, nextTryAt, previousSecretUntil } = row;
  const lines: string[] = [];
  if (failingSince && state !== "off") {
    const time = formatShort(failingSince, timeZone);
    lines.push(t("third.failingSince", { formatted: formatNumber(failures), time }));
  }
  if (state === "failing" && nextTryAt) lines.push(t("third.nextTry", { time: formatRelative(nextTryAt) }));
  if (previousSecretUntil) lines.push(t("third.bothUntil", { time: formatShort(previousSecretUntil, timeZone) }));
  return (
    <span className="block whitespace-normal">
      <StatusChip {...LOOK[state]} size="sm">
        {t(`third.hookState.${state}`)}
      </StatusChip>
      {lines.map((line) => (
        <span key={line} className="mt-0.5 block text-xs font-normal text-muted-foreground">
          {line}
        </span>
      ))}
    </span>
  );
}

import type { DeliveryRow, WebhookRow } from "@innkey/shared/schemas/messaging";
import { DELIVERY_STATES, type DeliveryState } from "@innkey/shared/webhook-events";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Clock, Copy, type LucideIcon, RefreshCw } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { copyText } from "@/lib/browser/copy-text.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { QuietBell } from "@/ui/drawings.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { eventLabel } from "./webhook-list.tsx";

const DELIVERY_STYLES: Record<DeliveryRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "info", icon: Clock },
  delivered: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
};

/** Returns the result of the last attempt as text; "" before the first attempt. */
function answerText({ lastError, lastStatus }: DeliveryRow): string {
  if (lastError === null) return lastStatus === null ? "" : t("third.error.answer", { status: lastStatus });
  return t(`third.error.${lastError}`, { status: lastStatus ?? "" });
}

function useDeliveryColumns(): DataColumn<DeliveryRow>[] {
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
            <span className="block font-medium">{eventLabel(event)}</span>
            <bdi className="block truncate font-mono text-xs font-normal text-muted-foreground">{event}</bdi>
          </span>
        ),
      },
      {
        id: "state",
        header: t("third.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip {...DELIVERY_STYLES[state]} size="sm">
            {t(`third.deliveryState.${state}`)}
          </StatusChip>
        ),
      },
      {
        id: "answer",
        header: t("third.answer"),
        className: "whitespace-normal",
        cell: (row) => answerText(row) || "–",
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
    [timeZone],
  );
}

/** Shows one event exactly as it is sent. */
function DeliveryDialog({ delivery, onClose }: { delivery: DeliveryRow; onClose: () => void }) {
  const { id, event, state, body } = delivery;
  const text = JSON.stringify(JSON.parse(body), null, 2);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={eventLabel(event)}
        footer={
          <>
            <Button variant="outline" onClick={() => void copyText(text)}>
              <Copy aria-hidden />
              {t("third.copy")}
            </Button>
            <ActionButton needsServer={false} onClick={onClose}>
              {t("common.close")}
            </ActionButton>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusChip {...DELIVERY_STYLES[state]} size="sm">
              {t(`third.deliveryState.${state}`)}
            </StatusChip>
            <span className="text-muted-foreground">{answerText(delivery)}</span>
          </p>
          <section aria-label={t("third.body")}>
            <h3 className="mb-1 font-semibold">{t("third.body")}</h3>
            <p dir="ltr" className="mb-2 font-mono text-xs break-all text-muted-foreground rtl:text-end">
              webhook-id: {id}
            </p>
            <pre dir="ltr" className="rounded-md bg-sunken px-4 py-3 font-mono text-sm break-all whitespace-pre-wrap">
              {text}
            </pre>
          </section>
        </div>
      </DialogPanel>
    </Dialog>
  );
}

const ANY = "any";
const REFRESH_MILLISECONDS = 3000;

type DeliveryListProps = { webhookId: number | undefined; state: DeliveryState | undefined; create: ReactNode };

/** Lists the past and pending deliveries of one webhook: the requested one, or the first. */
export function DeliveryList({ webhookId, state, create }: DeliveryListProps) {
  const { data, error, refetch } = useQuery(trpc.integrations.webhooks.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  const webhook = data.find(({ id }) => id === webhookId) ?? data[0];
  if (!webhook) {
    return (
      <Card>
        <EmptyState
          drawing={QuietBell}
          title={t("third.noHooks")}
          description={t("third.noHooksText")}
          action={create}
          actionIsRepeated
        />
      </Card>
    );
  }
  return <Deliveries key={webhook.id} webhook={webhook} webhooks={data} state={state} />;
}

type DeliveriesProps = { webhook: WebhookRow; webhooks: readonly WebhookRow[]; state: DeliveryState | undefined };

function Deliveries({ webhook, webhooks, state }: DeliveriesProps) {
  const list = useListState();
  const columns = useDeliveryColumns();
  const [openDelivery, setOpenDelivery] = useState<DeliveryRow | null>(null);
  const resend = useMutation(trpc.integrations.resend.mutationOptions());
  const { page, pageSize } = list;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.integrations.deliveries.queryOptions(
      { webhookId: webhook.id, state, page, pageSize },
      {
        placeholderData: keepPreviousData,
        // Deliveries cause no events.
        refetchInterval: ({ state: { data: deliveries } }) =>
          deliveries?.rows.some((row) => row.state === "queued") ? REFRESH_MILLISECONDS : false,
      },
    ),
  );

  async function resendDeliveries(deliveryId: string | null): Promise<void> {
    await resend.mutateAsync({ webhookId: webhook.id, deliveryId });
    toast.success(t("third.resent"));
  }

  function actions(): RowAction<DeliveryRow>[] {
    return [{ label: t("third.resend"), icon: RefreshCw, onSelect: ({ id }) => void resendDeliveries(id) }];
  }

  return (
    <>
      <DataTable
        label={t("third.tab.deliveries")}
        columns={columns}
        rows={data?.rows}
        total={data?.total}
        rowId={({ id }) => id}
        {...list.table}
        error={error}
        onRetry={() => void refetch()}
        stale={isPlaceholderData}
        onOpen={setOpenDelivery}
        actions={actions}
        empty={
          state
            ? { drawing: QuietBell, title: t("third.noneFound") }
            : { drawing: QuietBell, title: t("third.noDeliveries"), description: t("third.noDeliveriesText") }
        }
        toolbar={
          <>
            <SelectInput
              aria-label={t("third.webhook")}
              className="w-auto max-w-64 min-w-40"
              value={String(webhook.id)}
              onChange={(id) => list.change({ webhook: Number(id) })}
              options={webhooks.map(({ id, name }) => ({ value: String(id), label: <bdi>{name}</bdi> }))}
            />
            <SelectInput
              aria-label={t("third.state")}
              className="w-auto min-w-36"
              value={state ?? ANY}
              onChange={(next) => list.change({ state: next === ANY ? undefined : next })}
              options={[
                { value: ANY, label: t("third.anyState") },
                ...DELIVERY_STATES.map((value) => ({ value, label: t(`third.deliveryState.${value}`) })),
              ]}
            />
            {webhook.failed > 0 && (
              <ActionButton variant="outline" pending={resend.isPending} onClick={() => void resendDeliveries(null)}>
                <RefreshCw aria-hidden />
                {t("third.resendAll")}
              </ActionButton>
            )}
          </>
        }
      />
      {openDelivery && <DeliveryDialog delivery={openDelivery} onClose={() => setOpenDelivery(null)} />}
    </>
  );
}

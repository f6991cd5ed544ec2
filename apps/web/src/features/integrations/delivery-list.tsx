import type { DeliveryRow, WebhookRow } from "@innkey/shared/schemas/integrations";
import { DELIVERY_STATES, type DeliveryState } from "@innkey/shared/webhook-events";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { ListChecks, RefreshCw, SearchX, Webhook } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import { useDeliveryColumns } from "./delivery-columns.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";

const ANY = "any";
const REFRESH_MILLISECONDS = 3000;

type DeliveryListProps = { webhookId: number | undefined; state: DeliveryState | undefined; create: ReactNode };

/** Lists the past and pending deliveries of one webhook: the requested one, or the first. */
export function DeliveryList({ webhookId, state, create }: DeliveryListProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(trpc.integrations.webhooks.queryOptions());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  const webhook = data.find(({ id }) => id === webhookId) ?? data[0];
  if (!webhook) {
    return (
      <EmptyState icon={Webhook} title={t("third.noHooks")} description={t("third.noHooksText")} action={create} />
    );
  }
  return <Deliveries key={webhook.id} webhook={webhook} webhooks={data} state={state} />;
}

type DeliveriesProps = { webhook: WebhookRow; webhooks: readonly WebhookRow[]; state: DeliveryState | undefined };

function Deliveries({ webhook, webhooks, state }: DeliveriesProps) {
  const { t } = useTranslation();
  const list = useListState();
  const columns = useDeliveryColumns();
  const [open, setOpen] = useState<DeliveryRow | null>(null);
  const resend = useMutation(trpc.integrations.resend.mutationOptions());
  const { page, pageSize } = list;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.integrations.deliveries.queryOptions(
      { webhookId: webhook.id, state, page, pageSize },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state: { data: deliveries } }) =>
          deliveries?.rows.some((row) => row.state === "queued") ? REFRESH_MILLISECONDS : false,
      },
    ),
  );

  async function again(deliveryId: string | null): Promise<void> {
    await resend.mutateAsync({ webhookId: webhook.id, deliveryId });
    refreshEverything();
    toast.success(t("third.resent"));
  }

  function actions(): RowAction<DeliveryRow>[] {
    return [{ label: t("third.resend"), icon: RefreshCw, onSelect: ({ id }) => void again(id) }];
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
        onOpen={setOpen}
        actions={actions}
        empty={
          state
            ? { icon: SearchX, title: t("third.noneFound") }
            : { icon: ListChecks, title: t("third.noDeliveries"), description: t("third.noDeliveriesText") }
        }
        toolbar={
          <>
            <Select
              aria-label={t("third.webhook")}
              className="w-auto max-w-64 min-w-40"
              value={String(webhook.id)}
              onChange={(id) => list.change({ webhook: Number(id) })}
              options={webhooks.map(({ id, name }) => ({ value: String(id), label: <bdi>{name}</bdi> }))}
            />
            <Select
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
              <Button pending={resend.isPending} onClick={() => void again(null)}>
                <RefreshCw aria-hidden />
                {t("third.resendAll")}
              </Button>
            )}
          </>
        }
      />
      {open && <DeliveryDialog delivery={open} onClose={() => setOpen(null)} />}
    </>
  );
}

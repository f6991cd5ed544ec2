import { useQuery } from "@tanstack/react-query";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useWebhookActs } from "./use-webhook-acts.tsx";
import { useWebhookColumns } from "./webhook-columns.tsx";

const REFRESH_MILLISECONDS = 3000;

type WebhookListProps = { create: ReactNode; onDeliveries: (webhookId: number) => void };

export function WebhookList({ create, onDeliveries }: WebhookListProps) {
  const { t } = useTranslation();
  const columns = useWebhookColumns();
  const { actions, edit, dialog } = useWebhookActs(onDeliveries);
  const { data, error, refetch } = useQuery(
    trpc.integrations.webhooks.queryOptions(undefined, {
      // We keep refreshing while deliveries are queued.
      refetchInterval: ({ state }) => (state.data?.some(({ queued }) => queued > 0) ? REFRESH_MILLISECONDS : false),
    }),
  );
  return (
    <>
      <DataTable
        label={t("third.tab.webhooks")}
        columns={columns}
        rows={data}
        rowId={({ id }) => String(id)}
        error={error}
        onRetry={() => void refetch()}
        onOpen={edit}
        actions={actions}
        empty={{ icon: Webhook, title: t("third.noHooks"), description: t("third.noHooksText"), action: create }}
      />
      {dialog}
    </>
  );
}

import type { WebhookRow } from "@innkey/shared/schemas/messaging/integrations";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, ListChecks, Pencil, Power, Send, Trash2, Webhook } from "lucide-react";
import { type ReactNode, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { useWebhookColumns } from "./webhook-columns.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type WebhookDialogState =
  | { kind: "edit"; webhook: WebhookRow }
  | { kind: "secret"; name: string; secret: string }
  | null;

/** Actions on a webhook. `dialog` must be rendered beside the list. */
function useWebhookActs(onDeliveries: (id: number) => void): {
  actions: (webhook: WebhookRow) => RowAction<WebhookRow>[];
  edit: (webhook: WebhookRow) => void;
  dialog: ReactNode;
} {
  const { t } = useTranslation();
  const [revealedSecret, setSecret] = useState<WebhookDialogState>(null);
  const close = (): void => setSecret(null);
  const test = useMutation(trpc.integrations.sendTest.mutationOptions());
  const switchTo = useMutation(trpc.integrations.switchWebhook.mutationOptions());
  const rotate = useMutation(trpc.integrations.rotateSecret.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.integrations.removeWebhook.mutationOptions());
  const edit = (webhook: WebhookRow): void => setSecret({ kind: "edit", webhook });

  async function sendTest({ id, name }: WebhookRow): Promise<void> {
    await test.mutateAsync({ id });
    toast.success(t("third.testSent", { name }));
  }

  async function switchOn({ id, name }: WebhookRow): Promise<void> {
    await switchTo.mutateAsync({ id, on: true });
    toast.success(t("third.switchedOn", { name }));
  }

  function askToSwitchOff({ id, name }: WebhookRow): void {
    void confirm({
      title: t("third.offTitle", { name }),
      description: t("third.offText"),
      confirmLabel: t("third.switchOff"),
      tone: "danger",
      action: async () => {
        await switchTo.mutateAsync({ id, on: false });
        toast.success(t("third.switchedOff", { name }));
      },
    });
  }

  function askToRotate({ id, name }: WebhookRow): void {
    void confirm({
      title: t("third.rotateTitle", { name }),
      description: t("third.rotateText"),
      confirmLabel: t("third.rotate"),
      tone: "danger",
      action: async () => {
        const { secret } = await rotate.mutateAsync({ id });
        setSecret({ kind: "secret", name, secret });
      },
    });
  }

  function askToRemove({ id, name }: WebhookRow): void {
    void confirm({
      title: t("third.removeTitle", { name }),
      description: t("third.removeText"),
      confirmLabel: t("third.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ id });
        toast.success(t("third.removed", { name }));
      },
    });
  }

  return {
    edit,
    actions: ({ state }) => {
      const isOn = state === "on" || state === "failing";
      return [
        { label: t("common.edit"), icon: Pencil, onSelect: edit },
        { label: t("third.test"), icon: Send, disabled: !isOn, onSelect: (row) => void sendTest(row) },
        {
          label: t("third.showDeliveries"),
          icon: ListChecks,
          needsServer: false,
          onSelect: ({ id }) => onDeliveries(id),
        },
        { label: t("third.rotate"), icon: KeyRound, onSelect: askToRotate },
        isOn
          ? { label: t("third.switchOff"), icon: Power, onSelect: askToSwitchOff }
          : { label: t("third.switchOn"), icon: Power, onSelect: (row) => void switchOn(row) },
        { label: t("third.remove"), icon: Trash2, danger: true, onSelect: askToRemove },
      ];
    },
    dialog:
      revealedSecret?.kind === "edit" ? (
        <WebhookDialog webhook={revealedSecret.webhook} onClose={close} />
      ) : revealedSecret ? (
        <SecretDialog
          title={t("third.secretOf", { name: revealedSecret.name })}
          label={t("third.secret")}
          value={revealedSecret.secret}
          onClose={close}
        >
          <p className="text-pretty text-muted-foreground">{t("third.rotateText")}</p>
        </SecretDialog>
      ) : null,
  };
}

const REFRESH_MILLISECONDS = 3000;

type WebhookListProps = { create: ReactNode; onDeliveries: (webhookId: number) => void };

export function WebhookList({ create, onDeliveries }: WebhookListProps) {
  const { t } = useTranslation();
  const columns = useWebhookColumns();
  const { actions, edit, dialog } = useWebhookActs(onDeliveries);
  const { data, error, refetch } = useQuery(
    trpc.integrations.webhooks.queryOptions(undefined, {
      // Deliveries cause no events, so we keep refreshing while some are queued.
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

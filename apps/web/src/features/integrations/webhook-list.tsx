import { saveWebhookInput, type WebhookRow } from "@innkey/shared/schemas/messaging";
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from "@innkey/shared/webhook-events";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Pencil,
  Power,
  Send,
  Trash2,
  Unplug,
} from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatList, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { SecretDialog } from "@/ui/dialog/secret-dialog.tsx";
import { QuietBell } from "@/ui/drawings.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { ChoiceFields } from "./choice-fields.tsx";

const KNOWN_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** Returns the text for an event. An event that this version doesn't know is shown by its name. */
export function eventLabel(event: string): string {
  const knownEvent = KNOWN_EVENTS.find((name) => name === event);
  return knownEvent ? t(`third.event.${knownEvent}`) : event;
}

const STATE_STYLES: Record<WebhookRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  on: { tone: "success", icon: CircleCheck },
  failing: { tone: "expired", icon: CircleAlert },
  off: { tone: "neutral", icon: CirclePause },
  given_up: { tone: "danger", icon: Unplug },
};

function useWebhookColumns(): DataColumn<WebhookRow>[] {
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
      { id: "state", header: t("third.state"), card: "status", cell: (row) => <StateCell row={row} /> },
      {
        id: "events",
        header: t("third.events"),
        className: "min-w-56 max-w-sm",
        cell: ({ events }) => (
          <span className="line-clamp-3 text-sm whitespace-normal">{formatList(events.map(eventLabel))}</span>
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
    [timeZone],
  );
}

function StateCell({ row }: { row: WebhookRow }) {
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
      <StatusChip {...STATE_STYLES[state]} size="sm">
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

const AREAS = {
  stay: "staff.area.stays",
  card: "staff.area.cards",
  unlock: "staff.area.unlocks",
  alarm: "third.eventArea.alarm",
} as const satisfies Record<string, TextKey>;

const eventsOf = (area: string): WebhookEvent[] => WEBHOOK_EVENTS.filter((event) => event.startsWith(`${area}.`));

/** Adds a webhook and shows its secret once, or edits an existing one. */
export function WebhookDialog({ webhook, onClose }: { webhook: WebhookRow | null; onClose: () => void }) {
  const [createdWebhook, setCreatedWebhook] = useState<{ name: string; secret: string } | null>(null);
  const form = useZodForm(saveWebhookInput, {
    defaultValues: webhook
      ? {
          id: webhook.id,
          name: webhook.name,
          url: webhook.url,
          events: WEBHOOK_EVENTS.filter((event) => webhook.events.includes(event)),
        }
      : { name: "", url: "", events: [] },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.integrations.saveWebhook.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));

  if (createdWebhook) {
    return (
      <SecretDialog
        title={t("third.secretOf", { name: createdWebhook.name })}
        label={t("third.secret")}
        value={createdWebhook.secret}
        onClose={onClose}
      >
        <p className="text-pretty text-muted-foreground">{t("third.secretText")}</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={webhook ? t("third.editHook") : t("third.newHook")}
      width="lg"
      submitLabel={t("common.save")}
      startAt="name"
      onClose={close}
      className="gap-5"
      onSubmit={async (values) => {
        const { secret } = await save.mutateAsync(values);
        toast.success(t("third.hookSaved", { name: values.name }));
        if (secret) setCreatedWebhook({ name: values.name, secret });
        else onClose();
      }}
    >
      <Field form={form} name="name" label={t("third.name")} hint={t("third.hookNameHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={80} dir="auto" />}
      </Field>
      <Field form={form} name="url" label={t("third.url")} required>
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            dir="ltr"
            autoComplete="off"
            maxLength={500}
            placeholder="https://"
            className="rtl:text-end"
          />
        )}
      </Field>
      <Field form={form} name="events" label={t("third.events")} layout="group" required>
        {({ ref: _ref, name: _name, disabled: _disabled, required: _required, ...control }) => (
          <ChoiceFields
            {...control}
            areas={Object.entries(AREAS).map(([area, label]) => ({
              label: t(label),
              choices: eventsOf(area).map((event) => ({ value: event, label: t(`third.event.${event}`) })),
            }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}

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
  const [dialogState, setDialogState] = useState<WebhookDialogState>(null);
  const close = (): void => setDialogState(null);
  const test = useMutation(trpc.integrations.sendTest.mutationOptions());
  const switchTo = useMutation(trpc.integrations.switchWebhook.mutationOptions());
  const rotate = useMutation(trpc.integrations.rotateSecret.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.integrations.removeWebhook.mutationOptions());
  const edit = (webhook: WebhookRow): void => setDialogState({ kind: "edit", webhook });

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
        setDialogState({ kind: "secret", name, secret });
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
      dialogState?.kind === "edit" ? (
        <WebhookDialog webhook={dialogState.webhook} onClose={close} />
      ) : dialogState ? (
        <SecretDialog
          title={t("third.secretOf", { name: dialogState.name })}
          label={t("third.secret")}
          value={dialogState.secret}
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
        empty={{ drawing: QuietBell, title: t("third.noHooks"), description: t("third.noHooksText"), action: create }}
      />
      {dialog}
    </>
  );
}

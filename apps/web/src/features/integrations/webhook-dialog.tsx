import { saveWebhookInput, type WebhookRow } from "@innkey/shared/schemas/messaging/integrations";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@innkey/shared/webhook-events";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type TextKey, useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-leave-guard.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { ChoiceFields } from "./choice-fields.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

const AREAS = {
  stay: "staff.area.stays",
  card: "staff.area.cards",
  unlock: "staff.area.unlocks",
  alarm: "third.eventArea.alarm",
} as const satisfies Record<string, TextKey>;

const eventsOf = (area: string): WebhookEvent[] => WEBHOOK_EVENTS.filter((event) => event.startsWith(`${area}.`));

/** Adds a webhook and shows its secret once, or edits an existing one. */
export function WebhookDialog({ webhook, onClose }: { webhook: WebhookRow | null; onClose: () => void }) {
  const { t } = useTranslation();
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

import { GUEST_MESSAGE_CHANNELS, GUEST_MESSAGE_EVENTS, type GuestMessageEvent } from "@innkey/shared/guest-messages";
import {
  type GuestMessageSettings,
  saveGuestMessageSettingsInput,
  saveGuestMessageWebhookInput,
} from "@innkey/shared/schemas/guest-messages";
import { useMutation, useQuery } from "@tanstack/react-query";
import { PenLine } from "lucide-react";
import { useId, useState } from "react";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { SecretDialog } from "@/ui/dialog/secret-dialog.tsx";
import { Segmented, SwitchInput } from "@/ui/form/choice-input.tsx";
import { TimeInput } from "@/ui/form/dates/time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useLeaveGuard, useZodForm } from "@/ui/form/form.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { GuestMessageTextDialog } from "./guest-message-text-dialog.tsx";

/** What the hotel writes to its guests by itself, when and by which way. */
export function GuestMessagesPanel({ editable }: { editable: boolean }) {
  const { data, error, refetch } = useQuery(trpc.guestMessages.settings.queryOptions());
  const can = useCan();
  const { apiKeyAuth } = useMe();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <div className="grid max-w-3xl gap-5">
      <SettingsCard settings={data} editable={editable} />
      {can("integrations.manage") && apiKeyAuth && <MessengerCard settings={data} />}
    </div>
  );
}

const QUIET = { from: "22:00", to: "08:00" };

function SettingsCard({ settings, editable }: { settings: GuestMessageSettings; editable: boolean }) {
  const save = useMutation(trpc.guestMessages.saveSettings.mutationOptions({ meta: { shownInForm: true } }));
  const { events, channels, hoursBefore, quiet } = settings;
  const form = useZodForm(saveGuestMessageSettingsInput, {
    defaultValues: { events, channels, hoursBefore, quiet },
    disabled: !editable,
  });
  const [edited, setEdited] = useState<GuestMessageEvent | null>(null);
  useLeaveGuard(form.formState.isDirty);
  const isQuiet = form.watch("quiet") !== null;

  return (
    <Card>
      <CardHeading title={t("guestMessages.title")} description={t("guestMessages.text")} />
      <CardContent>
        <Form
          form={form}
          className="gap-5"
          onSubmit={async (values) => {
            const saved = await save.mutateAsync(values);
            toast.success(t("guestMessages.saved"));
            form.reset({
              events: saved.events,
              channels: saved.channels,
              hoursBefore: saved.hoursBefore,
              quiet: saved.quiet,
            });
          }}
        >
          {settings.available.length === 0 && (
            <Callout tone="info" title={t("guestMessages.noService")}>
              {t("guestMessages.noServiceText")}
            </Callout>
          )}
          <Field form={form} name="events" label={t("guestMessages.events")} layout="group" quiet>
            {(control) => (
              <EventSwitches
                value={control.value}
                onChange={control.onChange}
                disabled={!editable}
                own={settings.texts.map(({ event }) => event)}
                onEdit={setEdited}
              />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              form={form}
              name="hoursBefore"
              label={t("guestMessages.hoursBefore")}
              hint={t("guestMessages.hoursBeforeHint")}
              required
            >
              {(control) => <NumberInput {...control} inputMode="numeric" />}
            </Field>
            <Field
              form={form}
              name="channels"
              label={t("guestMessages.firstBy")}
              hint={t("guestMessages.firstByHint")}
              layout="group"
              quiet
            >
              {({ value, onChange, ...control }) => (
                <Segmented
                  {...control}
                  value={value[0]}
                  onChange={(first) => onChange([first, ...GUEST_MESSAGE_CHANNELS.filter((other) => other !== first)])}
                  options={GUEST_MESSAGE_CHANNELS.map((channel) => ({
                    value: channel,
                    label: t(`outbox.channel.${channel}`),
                  }))}
                />
              )}
            </Field>
          </div>
          <Field
            form={form}
            name="quiet"
            label={t("guestMessages.quiet")}
            hint={t("guestMessages.quietHint")}
            layout="inline"
          >
            {({ value, onChange, ...control }) => (
              <SwitchInput
                {...control}
                disabled={!editable}
                value={value !== null}
                onChange={(on) => onChange(on ? (quiet ?? QUIET) : null)}
              />
            )}
          </Field>
          {isQuiet && (
            <div className="grid grid-cols-2 gap-4 sm:max-w-sm">
              <Field form={form} name="quiet.from" label={t("doors.from")} required>
                {(control) => <TimeInput {...control} />}
              </Field>
              <Field form={form} name="quiet.to" label={t("doors.to")} required>
                {(control) => <TimeInput {...control} />}
              </Field>
            </div>
          )}
          {editable && (
            <FormActions>
              <ActionButton type="submit" pending={form.formState.isSubmitting}>
                {t("common.save")}
              </ActionButton>
            </FormActions>
          )}
        </Form>
      </CardContent>
      {edited && (
        <GuestMessageTextDialog
          event={edited}
          settings={settings}
          editable={editable}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

type EventSwitchesProps = {
  value: readonly GuestMessageEvent[];
  onChange: (events: GuestMessageEvent[]) => void;
  disabled: boolean;
  /** events with a text of the hotel's own, one entry for each language */
  own: readonly GuestMessageEvent[];
  onEdit: (event: GuestMessageEvent) => void;
};

function EventSwitches({ value, onChange, disabled, own, onEdit }: EventSwitchesProps) {
  const id = useId();
  return (
    <ul className="divide-y rounded-lg border">
      {GUEST_MESSAGE_EVENTS.map((event) => {
        const languages = own.filter((other) => other === event).length;
        return (
          <li key={event} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
            <SwitchInput
              id={`${id}-${event}`}
              value={value.includes(event)}
              disabled={disabled}
              onChange={(on) =>
                onChange(GUEST_MESSAGE_EVENTS.filter((other) => (other === event ? on : value.includes(other))))
              }
            />
            <span className="min-w-0 flex-1 basis-32">
              <Label htmlFor={`${id}-${event}`} className="font-medium">
                {t(`guestMessages.event.${event}`)}
              </Label>
              {languages > 0 && (
                <span className="block text-sm text-muted-foreground">
                  {t("guestMessages.ownTexts", { number: formatNumber(languages) })}
                </span>
              )}
            </span>
            <ActionButton
              variant="outline"
              size="sm"
              aria-label={`${t("guestMessages.editText")}: ${t(`guestMessages.event.${event}`)}`}
              onClick={() => onEdit(event)}
            >
              <PenLine aria-hidden />
              <span className="max-sm:hidden">{t("guestMessages.editText")}</span>
            </ActionButton>
          </li>
        );
      })}
    </ul>
  );
}

/** The hotel's own service for messages to phone numbers, such as a WhatsApp gateway. */
function MessengerCard({ settings: { webhookHost } }: { settings: GuestMessageSettings }) {
  const save = useMutation(trpc.guestMessages.saveWebhook.mutationOptions({ meta: { shownInForm: true } }));
  const remove = useMutation(trpc.guestMessages.saveWebhook.mutationOptions());
  const form = useZodForm(saveGuestMessageWebhookInput, { defaultValues: { url: "" } });
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card>
      <CardHeading title={t("guestMessages.messenger")} description={t("guestMessages.messengerText")} />
      <CardContent className="grid gap-4">
        {webhookHost && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <bdi dir="ltr" className="font-medium break-all">
              {webhookHost}
            </bdi>
            <ActionButton
              size="sm"
              variant="ghost-destructive"
              pending={remove.isPending}
              onClick={() => remove.mutate({ url: null })}
            >
              {t("third.remove")}
            </ActionButton>
          </div>
        )}
        <Form
          form={form}
          onSubmit={async (values) => {
            const saved = await save.mutateAsync(values);
            form.reset({ url: "" });
            setSecret(saved.secret);
          }}
        >
          <Field form={form} name="url" label={t("guestMessages.messengerUrl")} required>
            {({ value, ...control }) => (
              <Input
                {...control}
                value={value ?? ""}
                dir="ltr"
                inputMode="url"
                placeholder="https://"
                maxLength={500}
              />
            )}
          </Field>
          <FormActions>
            <ActionButton type="submit" variant="outline" pending={form.formState.isSubmitting}>
              {t("guestMessages.messengerSave")}
            </ActionButton>
          </FormActions>
        </Form>
      </CardContent>
      {secret !== null && (
        <SecretDialog
          title={t("guestMessages.messengerSecret")}
          label={t("guestMessages.messengerSecret")}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Card>
  );
}

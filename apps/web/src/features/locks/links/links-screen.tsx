import {
  type DeviceLinkInput,
  type DeviceLinkRow,
  deviceLinkInput,
  type deviceLinkSaved,
} from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, Power } from "lucide-react";
import { useState } from "react";
import type { Path } from "react-hook-form";
import type { z } from "zod";
import { lockErrorText } from "@/entities/lock/lock-labels.ts";
import { confirm } from "@/lib/confirm.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { AccessFacts, EncryptedAccess, EncryptedAccessCard } from "./broker-access.tsx";

type SavedLink = z.infer<typeof deviceLinkSaved>;

function initialValues({ kind, settings }: DeviceLinkRow): DeviceLinkInput {
  if (kind === "zigbee2mqtt") return { kind, baseTopic: settings.baseTopic ?? "zigbee2mqtt" };
  if (kind === "home_assistant") return { kind, prefix: settings.prefix ?? "homeassistant" };
  return {
    kind,
    baseUrl: settings.baseUrl ?? "https://euapi.ttlock.com",
    clientId: settings.clientId ?? "",
    clientSecret: "",
    account: settings.account ?? "",
    password: "",
  };
}

/** Turns a link on or edits it. A newly created broker password is shown once. */
function LinkDialog({ link, onClose }: { link: DeviceLinkRow; onClose: () => void }) {
  const [savedLink, setSavedLink] = useState<SavedLink | null>(null);
  const form = useZodForm(deviceLinkInput, { defaultValues: initialValues(link) });
  const save = useMutation(trpc.locks.saveLink.mutationOptions({ meta: { shownInForm: true } }));
  const name = LINK_NAMES[link.kind];
  if (savedLink) return <AccessDialog name={name} savedLink={savedLink} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={name}
      description={t(`locks.links.how.${link.kind}`)}
      submitLabel={link.on ? t("common.save") : t("locks.links.turnOn")}
      onClose={onClose}
      onSubmit={async (values) => {
        const answer = await save.mutateAsync(values);
        if (answer.password || answer.makeUser) return setSavedLink(answer);
        toast.success(t("locks.links.saved", { name }));
        onClose();
      }}
    >
      <LinkFields form={form} link={link} />
    </FormDialog>
  );
}

function AccessDialog({ name, savedLink, onClose }: { name: string; savedLink: SavedLink; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("locks.connect.title", { name })}
        description={savedLink.makeUser ? t("locks.links.makeUser", { name }) : t("locks.links.accessText", { name })}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {savedLink.makeUser ? t("common.close") : t("locks.connect.done")}
          </ActionButton>
        }
      >
        <div className="grid grid-cols-1 gap-4">
          {savedLink.password && <Callout tone="warning" title={t("locks.links.once")} />}
          <AccessFacts
            facts={[
              [t("locks.connect.url"), savedLink.url],
              [t("locks.connect.user"), savedLink.user],
              [t("auth.password"), savedLink.password],
            ]}
          />
          <EncryptedAccess />
        </div>
      </DialogPanel>
    </Dialog>
  );
}

/** Product names, the same in every language. */
const LINK_NAMES: Record<DeviceLinkRow["kind"], string> = {
  zigbee2mqtt: "Zigbee2MQTT",
  ttlock: "TTLock",
  home_assistant: "Home Assistant",
};

const PLAIN_FIELDS = {
  zigbee2mqtt: ["baseTopic"],
  home_assistant: ["prefix"],
  ttlock: ["baseUrl", "clientId", "account"],
} as const;
const SECRET_FIELDS = { zigbee2mqtt: [], home_assistant: [], ttlock: ["clientSecret", "password"] } as const;

type LinkFieldsProps = { form: ZodForm<typeof deviceLinkInput>; link: DeviceLinkRow };

function LinkFields({ form, link }: LinkFieldsProps) {
  return (
    <>
      {PLAIN_FIELDS[link.kind].map((field) => (
        <Field
          key={field}
          form={form}
          name={field satisfies Path<z.input<typeof deviceLinkInput>>}
          label={t(`locks.links.field.${field}`)}
          required
        >
          {(control) => <Input {...control} dir="ltr" autoComplete="off" spellCheck={false} className="rtl:text-end" />}
        </Field>
      ))}
      {SECRET_FIELDS[link.kind].map((field) => (
        <Field
          key={field}
          form={form}
          name={field}
          label={t(`locks.links.field.${field}`)}
          hint={link.on ? t("locks.links.secretKept") : undefined}
          required={!link.on}
          quiet
        >
          {(control) => <PasswordInput {...control} value={control.value ?? ""} autoComplete="new-password" />}
        </Field>
      ))}
    </>
  );
}

const PUBLIC_SETTINGS = ["baseTopic", "prefix", "baseUrl", "clientId", "account"] as const;

function LinkCard({ link, onEdit }: { link: DeviceLinkRow; onEdit: () => void }) {
  const { kind, on, settings, user, lastError, lastSeenAt, callbackPath } = link;
  const name = LINK_NAMES[kind];
  // Only owners may edit a cloud link, because the server connects to its address.
  const canEdit = useMe().role === "owner" || kind !== "ttlock";
  const remove = useMutation(trpc.locks.removeLink.mutationOptions());

  function askToTurnOff(): void {
    void confirm({
      title: t("locks.links.offAsk", { name }),
      description: t(`locks.links.offText.${kind}`),
      confirmLabel: t("locks.links.turnOff"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ kind });
        toast.success(t("locks.links.offDone", { name }));
      },
    });
  }

  return (
    <Card>
      <CardHeading
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {name}
            <LinkChip on={on} failed={lastError !== null} />
          </span>
        }
        description={
          <span className="text-pretty">
            {t(`locks.links.what.${kind}`)}
            {!canEdit && ` ${t("locks.links.ownersOnly")}`}
          </span>
        }
        actions={
          on ? (
            <>
              <ActionButton variant="ghost-destructive" onClick={askToTurnOff}>
                {t("locks.links.turnOff")}
              </ActionButton>
              {canEdit && (
                <ActionButton variant="outline" onClick={onEdit}>
                  {t("common.edit")}
                </ActionButton>
              )}
            </>
          ) : canEdit ? (
            <ActionButton variant="outline" onClick={onEdit}>
              <Power aria-hidden />
              {t("locks.links.turnOn")}
            </ActionButton>
          ) : null
        }
      />
      {on && (
        <CardContent className="grid gap-3">
          {lastError && <Callout tone="danger" title={lockErrorText(lastError)} />}
          <AccessFacts
            facts={[
              ...PUBLIC_SETTINGS.map((field) => [t(`locks.links.field.${field}`), settings[field] ?? null] as const),
              [t("locks.connect.user"), user],
              [t("locks.links.callback"), callbackPath && new URL(callbackPath, location.origin).href],
            ]}
          />
          {callbackPath && <p className="text-sm text-pretty text-muted-foreground">{t("locks.links.callbackHint")}</p>}
          <p className="text-sm text-muted-foreground">
            {lastSeenAt ? t("locks.seen", { when: formatRelative(lastSeenAt) }) : t("locks.links.neverSeen")}
          </p>
        </CardContent>
      )}
    </Card>
  );
}

function LinkChip({ on, failed }: { on: boolean; failed: boolean }) {
  if (!on)
    return (
      <StatusChip tone="neutral" icon={CircleDashed} size="sm">
        {t("locks.links.off")}
      </StatusChip>
    );
  return failed ? (
    <StatusChip tone="danger" icon={CircleAlert} size="sm">
      {t("locks.links.failing")}
    </StatusChip>
  ) : (
    <StatusChip tone="success" icon={CircleCheck} size="sm">
      {t("locks.links.on")}
    </StatusChip>
  );
}

/** Links to systems that connect the console to locks, or that observe the locks. */
export function LinksScreen() {
  const [edited, setEdited] = useState<DeviceLinkRow | null>(null);
  const links = useQuery(trpc.locks.links.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  if (links.error && !links.data) return <ErrorState error={links.error} onRetry={() => void links.refetch()} />;
  if (!links.data) return <PageSkeleton />;
  return (
    <>
      <PageHeader title={t("locks.links.title")} description={t("locks.links.text")} />
      <div className="grid gap-4">
        {links.data.map((link) => (
          <LinkCard key={link.kind} link={link} onEdit={() => setEdited(link)} />
        ))}
        <EncryptedAccessCard />
      </div>
      {edited && <LinkDialog link={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

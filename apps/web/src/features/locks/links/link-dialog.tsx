import {
  type DeviceLinkInput,
  type DeviceLinkRow,
  deviceLinkInput,
  type deviceLinkSaved,
} from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Path } from "react-hook-form";
import type { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { AccessFacts, EncryptedAccess } from "./encrypted-access.tsx";

type Saved = z.infer<typeof deviceLinkSaved>;

function startOf({ kind, settings }: DeviceLinkRow): DeviceLinkInput {
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
export function LinkDialog({ link, onClose }: { link: DeviceLinkRow; onClose: () => void }) {
  const { t } = useTranslation();
  const [saved, setSaved] = useState<Saved | null>(null);
  const form = useZodForm(deviceLinkInput, { defaultValues: startOf(link) });
  const save = useMutation(trpc.locks.saveLink.mutationOptions({ meta: { shownInForm: true } }));
  const name = LINK_NAMES[link.kind];
  if (saved) return <AccessDialog name={name} saved={saved} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={name}
      description={t(`locks.links.how.${link.kind}`)}
      submitLabel={link.on ? t("common.save") : t("locks.links.turnOn")}
      onClose={onClose}
      onSubmit={async (values) => {
        const answer = await save.mutateAsync(values);
        if (answer.password || answer.makeUser) return setSaved(answer);
        toast.success(t("locks.links.saved", { name }));
        onClose();
      }}
    >
      <LinkFields form={form} link={link} />
    </FormDialog>
  );
}

function AccessDialog({ name, saved, onClose }: { name: string; saved: Saved; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("locks.connect.title", { name })}
        description={saved.makeUser ? t("locks.links.makeUser", { name }) : t("locks.links.accessText", { name })}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {saved.makeUser ? t("common.close") : t("locks.connect.done")}
          </ActionButton>
        }
      >
        <div className="grid grid-cols-1 gap-4">
          {saved.password && <Callout tone="warning" title={t("locks.links.once")} />}
          <AccessFacts
            facts={[
              [t("locks.connect.url"), saved.url],
              [t("locks.connect.user"), saved.user],
              [t("auth.password"), saved.password],
            ]}
          />
          <EncryptedAccess />
        </div>
      </DialogPanel>
    </Dialog>
  );
}

/** Product names, the same in every language. */
export const LINK_NAMES: Record<DeviceLinkRow["kind"], string> = {
  zigbee2mqtt: "Zigbee2MQTT",
  ttlock: "TTLock",
  home_assistant: "Home Assistant",
};

const PLAIN = {
  zigbee2mqtt: ["baseTopic"],
  home_assistant: ["prefix"],
  ttlock: ["baseUrl", "clientId", "account"],
} as const;
const SECRET = { zigbee2mqtt: [], home_assistant: [], ttlock: ["clientSecret", "password"] } as const;

type LinkFieldsProps = { form: ZodForm<typeof deviceLinkInput>; link: DeviceLinkRow };

function LinkFields({ form, link }: LinkFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {PLAIN[link.kind].map((field) => (
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
      {SECRET[link.kind].map((field) => (
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

import { addPasskeyInput, type TwoStepState } from "@innkey/shared/schemas/identity/two-step";
import { useMutation } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { confirm } from "@/lib/confirm.ts";
import { formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";

import { Badge } from "@/ui/primitives/badge.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { deviceLabel } from "../center/device-label.ts";
import { makePasskey } from "./passkeys.ts";
import type { Proved } from "./two-step-dialogs.tsx";

const passkeyNameForm = z.object({ name: addPasskeyInput.shape.name });

type PasskeyDialogProps = {
  proved: Proved;
  onClose: () => void;
  onAdded: (recoveryCodes: string[] | null) => void;
};

/** Asks for a name, then has the browser create a passkey. */
export function PasskeyDialog({ proved, onClose, onAdded }: PasskeyDialogProps) {
  const quiet = { meta: { shownInForm: true } };
  const begin = useMutation(trpc.twoStep.beginPasskey.mutationOptions(quiet));
  const add = useMutation(trpc.twoStep.addPasskey.mutationOptions(quiet));
  const form = useZodForm(passkeyNameForm, { defaultValues: { name: deviceLabel(navigator.userAgent).slice(0, 60) } });
  return (
    <FormDialog
      form={form}
      title={t("twoStep.addPasskey")}
      description={t("twoStep.addPasskeyText")}
      width="sm"
      submitLabel={t("twoStep.createPasskey")}
      startAt="name"
      onClose={onClose}
      onSubmit={async ({ name }) => {
        const options = await proved(() => begin.mutateAsync());
        if (!options) return;
        const attestation = await makePasskey(options.passkey);
        if (!attestation) return;
        onAdded((await add.mutateAsync({ challenge: options.challenge, name, attestation })).recoveryCodes);
      }}
    >
      <Field form={form} name="name" label={t("twoStep.passkeyName")} hint={t("twoStep.passkeyNameHint")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

type Passkey = TwoStepState["passkeys"][number];
type PasskeyLineProps = { passkey: Passkey; proved: Proved; onChanged: () => void };

export function PasskeyLine({ passkey, proved, onChanged }: PasskeyLineProps) {
  const [renaming, setRenaming] = useState(false);
  const remove = useMutation(trpc.twoStep.removePasskey.mutationOptions({ meta: { shownInForm: true } }));
  const { id, name, host, here, backedUp, createdAt, lastUsedAt } = passkey;

  async function ask(): Promise<void> {
    const sure = await confirm({
      title: t("twoStep.removePasskeyTitle", { name: `\u2068${name}\u2069` }),
      description: t("twoStep.removePasskeyText"),
      confirmLabel: t("twoStep.remove"),
      tone: "danger",
    });
    if (!sure || !(await proved(() => remove.mutateAsync({ id })))) return;
    toast.success(t("twoStep.passkeyRemoved"));
    onChanged();
  }

  return (
    <li className="flex items-center gap-2 py-1.5 ps-14 pe-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <bdi className="truncate">{name}</bdi>
          {backedUp && <Badge variant="outline">{t("twoStep.backedUp")}</Badge>}
        </p>
        <p className="text-sm text-muted-foreground">
          {lastUsedAt
            ? t("twoStep.lastUsed", { when: formatRelative(lastUsedAt) })
            : t("twoStep.madeUnused", { when: formatRelative(createdAt) })}
          {!here && <> · {t("twoStep.onlyAt", { host: `\u2068${host}\u2069` })}</>}
        </p>
      </div>
      <ActionButton
        variant="ghost"
        size="icon"
        aria-label={t("twoStep.renameOf", { name })}
        title={t("twoStep.rename")}
        onClick={() => setRenaming(true)}
      >
        <Pencil aria-hidden />
      </ActionButton>
      <ActionButton
        variant="ghost"
        size="icon"
        aria-label={t("twoStep.removeOf", { name })}
        title={t("twoStep.remove")}
        onClick={() => void ask()}
      >
        <Trash2 aria-hidden />
      </ActionButton>
      {renaming && (
        <RenameDialog
          passkey={passkey}
          proved={proved}
          onClose={() => setRenaming(false)}
          onRenamed={() => {
            setRenaming(false);
            onChanged();
          }}
        />
      )}
    </li>
  );
}

type RenameDialogProps = {
  passkey: { id: string; name: string };
  proved: Proved;
  onClose: () => void;
  onRenamed: () => void;
};

function RenameDialog({ passkey, proved, onClose, onRenamed }: RenameDialogProps) {
  const rename = useMutation(trpc.twoStep.renamePasskey.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(passkeyNameForm, { defaultValues: { name: passkey.name } });
  return (
    <FormDialog
      form={form}
      title={t("twoStep.rename")}
      width="sm"
      submitLabel={t("common.save")}
      startAt="name"
      onClose={onClose}
      onSubmit={async ({ name }) => {
        if (await proved(() => rename.mutateAsync({ id: passkey.id, name }))) onRenamed();
      }}
    >
      <Field form={form} name="name" label={t("twoStep.passkeyName")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

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
import type { WithProof } from "./two-step-dialogs.tsx";

const passkeyNameForm = z.object({ name: addPasskeyInput.shape.name });

type PasskeyDialogProps = {
  withProof: WithProof;
  onClose: () => void;
  onAdded: (recoveryCodes: string[] | null) => void;
};

/** Asks for a name, then has the browser create a passkey. */
export function PasskeyDialog({ withProof, onClose, onAdded }: PasskeyDialogProps) {
  const shownInForm = { meta: { shownInForm: true } };
  const begin = useMutation(trpc.twoStep.beginPasskey.mutationOptions(shownInForm));
  const add = useMutation(trpc.twoStep.addPasskey.mutationOptions(shownInForm));
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
        const options = await withProof(() => begin.mutateAsync());
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
type PasskeyLineProps = { passkey: Passkey; withProof: WithProof; onChanged: () => void };

export function PasskeyLine({ passkey, withProof, onChanged }: PasskeyLineProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = useMutation(trpc.twoStep.removePasskey.mutationOptions({ meta: { shownInForm: true } }));
  const { id, name, host, here, backedUp, createdAt, lastUsedAt } = passkey;

  async function askToRemove(): Promise<void> {
    const confirmed = await confirm({
      title: t("twoStep.removePasskeyTitle", { name: `\u2068${name}\u2069` }),
      description: t("twoStep.removePasskeyText"),
      confirmLabel: t("twoStep.remove"),
      tone: "danger",
    });
    if (!confirmed || !(await withProof(() => remove.mutateAsync({ id })))) return;
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
        onClick={() => setIsRenaming(true)}
      >
        <Pencil aria-hidden />
      </ActionButton>
      <ActionButton
        variant="ghost"
        size="icon"
        aria-label={t("twoStep.removeOf", { name })}
        title={t("twoStep.remove")}
        onClick={() => void askToRemove()}
      >
        <Trash2 aria-hidden />
      </ActionButton>
      {isRenaming && (
        <RenameDialog
          passkey={passkey}
          withProof={withProof}
          onClose={() => setIsRenaming(false)}
          onRenamed={() => {
            setIsRenaming(false);
            onChanged();
          }}
        />
      )}
    </li>
  );
}

type RenameDialogProps = {
  passkey: { id: string; name: string };
  withProof: WithProof;
  onClose: () => void;
  onRenamed: () => void;
};

function RenameDialog({ passkey, withProof, onClose, onRenamed }: RenameDialogProps) {
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
        if (await withProof(() => rename.mutateAsync({ id: passkey.id, name }))) onRenamed();
      }}
    >
      <Field form={form} name="name" label={t("twoStep.passkeyName")} required>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

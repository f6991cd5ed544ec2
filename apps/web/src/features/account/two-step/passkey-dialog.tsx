import { addPasskeyInput } from "@innkey/shared/schemas/two-step";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { deviceWords } from "../center/device-words.ts";
import { makePasskey } from "./passkeys.ts";
import type { Proved } from "./use-proof.tsx";

export const passkeyNameForm = z.object({ name: addPasskeyInput.shape.name });

type PasskeyDialogProps = {
  proved: Proved;
  onClose: () => void;
  onAdded: (recoveryCodes: string[] | null) => void;
};

/** Asks for a name, then has the browser create a passkey. */
export function PasskeyDialog({ proved, onClose, onAdded }: PasskeyDialogProps) {
  const { t } = useTranslation();
  const quiet = { meta: { shownInForm: true } };
  const begin = useMutation(trpc.twoStep.beginPasskey.mutationOptions(quiet));
  const add = useMutation(trpc.twoStep.addPasskey.mutationOptions(quiet));
  const form = useZodForm(passkeyNameForm, { defaultValues: { name: deviceWords(navigator.userAgent).slice(0, 60) } });
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

import { proveInput } from "@innkey/shared/schemas/identity/two-step";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { passkeysWork } from "@/lib/login/passkeys-work.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { showFailure, useZodForm } from "@/ui/form/use-zod-form.ts";
import { signWithPasskey } from "./passkeys.ts";

/** Asks for the password again, or for a passkey, before a change to the account's security settings. */
function ProofDialog({ onAnswer }: { onAnswer: (proved: boolean) => void }) {
  const { t } = useTranslation();
  const quiet = { meta: { shownInForm: true } };
  const { data, refetch } = useQuery(trpc.twoStep.state.queryOptions());
  const prove = useMutation(trpc.twoStep.prove.mutationOptions(quiet));
  const ask = useMutation(trpc.twoStep.askProof.mutationOptions(quiet));
  const provePasskey = useMutation(trpc.twoStep.provePasskey.mutationOptions(quiet));
  const [signing, setSigning] = useState(false);
  const form = useZodForm(proveInput, { defaultValues: { password: "" } });
  const hasPasskey = passkeysWork() && data?.passkeys.some(({ here }) => here) === true;

  async function sign(): Promise<void> {
    const challenge = await ask.mutateAsync();
    // The passkeys have been removed in another session meanwhile.
    if (!challenge) return void refetch();
    const assertion = await signWithPasskey(challenge.passkey);
    if (!assertion) return;
    await provePasskey.mutateAsync({ challenge: challenge.challenge, assertion });
    onAnswer(true);
  }

  async function showPasskey(): Promise<void> {
    if (signing) return;
    setSigning(true);
    form.clearErrors();
    await sign().catch((error) => showFailure(form, error));
    setSigning(false);
  }

  return (
    <FormDialog
      form={form}
      title={t("twoStep.proofTitle")}
      description={t(hasPasskey ? "twoStep.proofOrPasskeyText" : "twoStep.proofText")}
      width="sm"
      submitLabel={t("twoStep.confirm")}
      startAt="password"
      onClose={() => onAnswer(false)}
      onSubmit={async (values) => {
        await prove.mutateAsync(values);
        onAnswer(true);
      }}
    >
      <Field form={form} name="password" label={t("auth.password")} required>
        {(control) => <PasswordInput {...control} autoComplete="current-password" />}
      </Field>
      {hasPasskey && (
        <ActionButton variant="outline" pending={signing} onClick={() => void showPasskey()} className="w-full">
          <KeyRound aria-hidden />
          {t("twoStep.usePasskey")}
        </ActionButton>
      )}
    </FormDialog>
  );
}

/**
 * Runs a security-sensitive action and asks for the password or a passkey if the last proof is too old. Returns null if
 * the person cancels, or after it has shown the error of a failed action.
 */
export type Proved = <T>(act: () => Promise<T>) => Promise<T | null>;

export function useProof(): { proved: Proved; dialog: ReactNode } {
  const [pendingProof, setPendingProof] = useState<{ answer: (proved: boolean) => void }>();

  async function proved<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== "proof_needed") {
        toast.error(failureText(failure));
        return null;
      }
    }
    const confirmed = await new Promise<boolean>((answer) => setPendingProof({ answer }));
    setPendingProof(undefined);
    return confirmed ? proved(act) : null;
  }

  return { proved, dialog: pendingProof && <ProofDialog onAnswer={pendingProof.answer} /> };
}

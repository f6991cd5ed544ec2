import { confirmTotpInput, proveInput, type totpSetup } from "@innkey/shared/schemas/identity/two-step";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Copy, Download, KeyRound, Printer } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import type { z } from "zod";
import { copyText } from "@/lib/browser/copy-text.ts";
import { t } from "@/lib/i18n.ts";
import { passkeysWork } from "@/lib/login/passkeys-work.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, showFailure, useZodForm } from "@/ui/form/form.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import { QrCode } from "@/ui/qr-code.tsx";
import { signWithPasskey } from "./passkeys.ts";

type RecoveryCodesDialogProps = { codes: string[]; onClose: () => void };

/** Shows the ten recovery codes. The console can't show them again once the dialog is closed. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );
  const text = `${t("twoStep.codesSheet", { site: location.host })}\n\n${codes.join("\n")}\n`;

  function download(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    link.download = "innkey-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("twoStep.codesTitle")}
        description={t("twoStep.codesText")}
        width="sm"
        // The secret is shown only once, so a click outside the dialog must not close it.
        onPointerDownOutside={(event) => event.preventDefault()}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {t("twoStep.codesKept")}
          </ActionButton>
        }
      >
        <div className="grid gap-4">
          <Callout tone="warning" title={t("twoStep.codesOnce")} />
          <ol
            dir="ltr"
            className="grid gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-4 font-mono text-sm sm:grid-cols-2"
          >
            {codes.map((code) => (
              <li key={code} data-testid="recovery-code">
                {code}
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => void copyText(codes.join("\n"))}>
              <Copy aria-hidden />
              {t("twoStep.copy")}
            </Button>
            <Button variant="outline" size="sm" onClick={download}>
              <Download aria-hidden />
              {t("twoStep.download")}
            </Button>
            <Button variant="outline" size="sm" onClick={() => setIsPrinting(true)}>
              <Printer aria-hidden />
              {t("twoStep.print")}
            </Button>
          </div>
        </div>
        {isPrinting && (
          <PrintSheet>
            <pre className="font-mono text-base leading-8 whitespace-pre-wrap">{text}</pre>
          </PrintSheet>
        )}
      </DialogPanel>
    </Dialog>
  );
}

export type AppSetup = z.infer<typeof totpSetup>;

type AppDialogProps = { setup: AppSetup; onClose: () => void; onAdded: (recoveryCodes: string[] | null) => void };

/** Shows the secret as a QR code and as text, and asks for a code to confirm that the app has it. */
export function AppDialog({ setup, onClose, onAdded }: AppDialogProps) {
  const confirm = useMutation(trpc.twoStep.confirmTotp.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(confirmTotpInput, { defaultValues: { challenge: setup.challenge, code: "" } });
  const groupedSecret = setup.secret.match(/.{1,4}/g)?.join(" ") ?? setup.secret;
  return (
    <FormDialog
      form={form}
      title={t("twoStep.appTitle")}
      description={t("twoStep.scan")}
      submitLabel={t("twoStep.confirm")}
      startAt="code"
      onClose={onClose}
      onSubmit={async (values) => {
        try {
          onAdded((await confirm.mutateAsync(values)).recoveryCodes);
        } catch (error) {
          const failure = failureOf(error);
          if (failure.code !== "code_wrong") throw error;
          form.setError("code", { type: failure.code, message: failureText(failure) }, { shouldFocus: true });
        }
      }}
    >
      <div className="grid gap-5 sm:grid-cols-[auto_1fr] sm:items-center">
        <QrCode text={setup.uri} label={t("twoStep.qr")} />
        <div className="grid gap-2">
          <p className="text-sm text-muted-foreground">{t("twoStep.byHand")}</p>
          <p dir="ltr" className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-words" data-testid="secret">
            {groupedSecret}
          </p>
          <Button
            variant="outline"
            size="sm"
            className="justify-self-start"
            onClick={() => void copyText(setup.secret)}
          >
            <Copy aria-hidden />
            {t("twoStep.copy")}
          </Button>
        </div>
      </div>
      <Field form={form} name="code" label={t("twoStep.code")} hint={t("twoStep.codeHint")} required>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            dir="ltr"
            className="max-w-52 font-mono text-xl! tracking-[0.3em]"
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** Asks for the password again, or for a passkey, before a change to the account's security settings. */
function ProofDialog({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const shownInForm = { meta: { shownInForm: true } };
  const { data, refetch } = useQuery(trpc.twoStep.state.queryOptions());
  const prove = useMutation(trpc.twoStep.prove.mutationOptions(shownInForm));
  const ask = useMutation(trpc.twoStep.askProof.mutationOptions(shownInForm));
  const provePasskey = useMutation(trpc.twoStep.provePasskey.mutationOptions(shownInForm));
  const [isSigning, setIsSigning] = useState(false);
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
    if (isSigning) return;
    setIsSigning(true);
    form.clearErrors();
    await sign().catch((error) => showFailure(form, error));
    setIsSigning(false);
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
        <ActionButton variant="outline" pending={isSigning} onClick={() => void showPasskey()} className="w-full">
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
export type WithProof = <T>(act: () => Promise<T>) => Promise<T | null>;

export function useProof(): { withProof: WithProof; dialog: ReactNode } {
  const [pendingProof, setPendingProof] = useState<{ answer: (isProven: boolean) => void }>();

  async function withProof<T>(act: () => Promise<T>): Promise<T | null> {
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
    return confirmed ? withProof(act) : null;
  }

  return { withProof, dialog: pendingProof && <ProofDialog onAnswer={pendingProof.answer} /> };
}

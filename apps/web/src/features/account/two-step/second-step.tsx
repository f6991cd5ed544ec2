import type { SecondFactorMethod, SecondStep } from "@innkey/shared/schemas/identity/two-step";
import { ArrowLeft, KeyRound, type LucideIcon, ScrollText, Smartphone } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { type TextKey, t } from "@/lib/i18n.ts";
import { passkeysWork } from "@/lib/login/passkeys-work.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import type { Me } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { FieldFrame, fieldMarks } from "@/ui/form/field-frame.tsx";
import { PublicHeading } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { endLogin, type Proof, signWithPasskey } from "./passkeys.ts";

/** Valid codes after spaces and hyphens are removed. */
const PATTERNS = { totp: /^\d{6}$/, recovery_code: /^[0-9a-z]{16}$/i };
const withoutSeparators = (code: string): string => code.replace(/[\s-]/g, "");

type CodeFormProps = { method: "totp" | "recovery_code"; isBusy: boolean; onCode: (code: string) => void };

/** Asks for an app code, which is submitted as soon as it is complete, or for a recovery code. */
function CodeForm({ method, isBusy, onCode }: CodeFormProps) {
  const id = useId();
  const [code, setCode] = useState("");
  const [message, setMessage] = useState<string>();
  const isApp = method === "totp";

  function change(value: string): void {
    setCode(value);
    setMessage(undefined);
    if (isApp && PATTERNS.totp.test(withoutSeparators(value))) onCode(withoutSeparators(value));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (PATTERNS[method].test(withoutSeparators(code))) onCode(code);
    else setMessage(t(isApp ? "validation.smsCode" : "validation.recoveryCode"));
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <FieldFrame id={id} label={t(isApp ? "twoStep.code" : "twoStep.recoveryCode")} message={message} required>
        <Input
          {...fieldMarks(id, { message, required: true })}
          value={code}
          onChange={({ target }) => change(target.value)}
          inputMode={isApp ? "numeric" : "text"}
          autoComplete={isApp ? "one-time-code" : "off"}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={isApp ? 7 : 40}
          autoFocus
          dir="ltr"
          className={isApp ? "font-mono text-xl! tracking-[0.4em]" : "font-mono"}
        />
      </FieldFrame>
      <ActionButton type="submit" size="lg" pending={isBusy} className="w-full">
        {t("twoStep.confirm")}
      </ActionButton>
    </form>
  );
}

type MethodTexts = { icon: LucideIcon; use: TextKey; text: TextKey };

const METHOD_TEXTS: Record<SecondFactorMethod, MethodTexts> = {
  passkey: { icon: KeyRound, use: "twoStep.usePasskey", text: "twoStep.passkeyText" },
  totp: { icon: Smartphone, use: "twoStep.useApp", text: "twoStep.appText" },
  recovery_code: { icon: ScrollText, use: "twoStep.useRecoveryCode", text: "twoStep.recoveryText" },
};

type SecondStepPageProps = { step: SecondStep; onLogin: (me: Me) => Promise<void>; onBack: () => void };

/** Asks for the second factor after the password was accepted. */
export default function SecondStepPage({ step, onLogin, onBack }: SecondStepPageProps) {
  const methods = step.methods.filter((method) => method !== "passkey" || passkeysWork());
  const [method, setMethod] = useState<SecondFactorMethod | undefined>(
    methods.includes("passkey") ? "passkey" : methods[0],
  );
  const [failure, setFailure] = useState<{ text: string; expired: boolean }>();
  const [isBusy, setIsBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (failure) summary.current?.focus();
  }, [failure]);

  async function submitProof(proofOf: () => Promise<Proof | null>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      const proof = await proofOf();
      if (proof) await onLogin(await endLogin(step.challenge, proof));
    } catch (error) {
      const problem = failureOf(error);
      setFailure({ text: failureText(problem), expired: problem.code === "challenge_gone" });
    }
    setIsBusy(false);
  }

  async function passkeyProof(): Promise<Proof | null> {
    const assertion = step.passkey && (await signWithPasskey(step.passkey));
    return assertion && { method: "passkey", assertion };
  }

  const expired = failure?.expired === true;
  return (
    <>
      <PublicHeading title={t("twoStep.title")} text={method ? t(METHOD_TEXTS[method].text) : t("twoStep.noWay")} />
      <div className="grid gap-4">
        {failure && <Callout ref={summary} tabIndex={-1} tone="danger" title={failure.text} />}
        {!expired && method === "passkey" && (
          <ActionButton
            size="lg"
            autoFocus
            pending={isBusy}
            onClick={() => void submitProof(passkeyProof)}
            className="w-full"
          >
            <KeyRound aria-hidden />
            {t("twoStep.usePasskey")}
          </ActionButton>
        )}
        {!expired && (method === "totp" || method === "recovery_code") && (
          <CodeForm
            key={method}
            method={method}
            isBusy={isBusy}
            onCode={(code) => void submitProof(async () => ({ method, code }))}
          />
        )}
      </div>
      <div className="mt-6 grid justify-items-start gap-1 border-t border-dashed pt-4">
        {!expired &&
          methods
            .filter((other) => other !== method)
            .map((other) => {
              const { icon: Icon, use } = METHOD_TEXTS[other];
              return (
                <Button
                  key={other}
                  variant="ghost"
                  className="-ms-4"
                  onClick={() => {
                    setFailure(undefined);
                    setMethod(other);
                  }}
                >
                  <Icon aria-hidden />
                  {t(use)}
                </Button>
              );
            })}
        <Button variant="ghost" className="-ms-4" onClick={onBack}>
          <ArrowLeft aria-hidden className="flip-rtl" />
          {t("auth.toLogin")}
        </Button>
      </div>
      <p className="mt-4 text-sm text-pretty text-muted-foreground">{t("twoStep.lost")}</p>
    </>
  );
}

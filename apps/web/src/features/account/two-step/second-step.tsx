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
const bare = (code: string): string => code.replace(/[\s-]/g, "");

type CodeFormProps = { method: "totp" | "recovery_code"; busy: boolean; onCode: (code: string) => void };

/** Asks for an app code, which is submitted as soon as it is complete, or for a recovery code. */
function CodeForm({ method, busy, onCode }: CodeFormProps) {
  const id = useId();
  const [code, setCode] = useState("");
  const [message, setMessage] = useState<string>();
  const app = method === "totp";

  function change(value: string): void {
    setCode(value);
    setMessage(undefined);
    if (app && PATTERNS.totp.test(bare(value))) onCode(bare(value));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (PATTERNS[method].test(bare(code))) onCode(code);
    else setMessage(t(app ? "validation.smsCode" : "validation.recoveryCode"));
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <FieldFrame id={id} label={t(app ? "twoStep.code" : "twoStep.recoveryCode")} message={message} required>
        <Input
          {...fieldMarks(id, { message, required: true })}
          value={code}
          onChange={({ target }) => change(target.value)}
          inputMode={app ? "numeric" : "text"}
          autoComplete={app ? "one-time-code" : "off"}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={app ? 7 : 40}
          autoFocus
          dir="ltr"
          className={app ? "font-mono text-xl! tracking-[0.4em]" : "font-mono"}
        />
      </FieldFrame>
      <ActionButton type="submit" size="lg" pending={busy} className="w-full">
        {t("twoStep.confirm")}
      </ActionButton>
    </form>
  );
}

type Way = { icon: LucideIcon; use: TextKey; text: TextKey };

const WAYS: Record<SecondFactorMethod, Way> = {
  passkey: { icon: KeyRound, use: "twoStep.usePasskey", text: "twoStep.passkeyText" },
  totp: { icon: Smartphone, use: "twoStep.useApp", text: "twoStep.appText" },
  recovery_code: { icon: ScrollText, use: "twoStep.useRecoveryCode", text: "twoStep.recoveryText" },
};

type SecondStepPageProps = { step: SecondStep; onLogin: (me: Me) => Promise<void>; onBack: () => void };

/** Asks for the second factor after the password was accepted. */
export default function SecondStepPage({ step, onLogin, onBack }: SecondStepPageProps) {
  const methods = step.methods.filter((method) => method !== "passkey" || passkeysWork());
  const [chosen, setChosen] = useState<SecondFactorMethod | undefined>(
    methods.includes("passkey") ? "passkey" : methods[0],
  );
  const [failure, setFailure] = useState<{ text: string; gone: boolean }>();
  const [busy, setBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (failure) summary.current?.focus();
  }, [failure]);

  async function answer(proofOf: () => Promise<Proof | null>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const proof = await proofOf();
      if (proof) await onLogin(await endLogin(step.challenge, proof));
    } catch (error) {
      const failed = failureOf(error);
      setFailure({ text: failureText(failed), gone: failed.code === "challenge_gone" });
    }
    setBusy(false);
  }

  async function passkeyProof(): Promise<Proof | null> {
    const assertion = step.passkey && (await signWithPasskey(step.passkey));
    return assertion && { method: "passkey", assertion };
  }

  const expired = failure?.gone === true;
  return (
    <>
      <PublicHeading title={t("twoStep.title")} text={chosen ? t(WAYS[chosen].text) : t("twoStep.noWay")} />
      <div className="grid gap-4">
        {failure && <Callout ref={summary} tabIndex={-1} tone="danger" title={failure.text} />}
        {!expired && chosen === "passkey" && (
          <ActionButton size="lg" autoFocus pending={busy} onClick={() => void answer(passkeyProof)} className="w-full">
            <KeyRound aria-hidden />
            {t("twoStep.usePasskey")}
          </ActionButton>
        )}
        {!expired && (chosen === "totp" || chosen === "recovery_code") && (
          <CodeForm
            key={chosen}
            method={chosen}
            busy={busy}
            onCode={(code) => void answer(async () => ({ method: chosen, code }))}
          />
        )}
      </div>
      <div className="mt-6 grid justify-items-start gap-1 border-t border-dashed pt-4">
        {!expired &&
          methods
            .filter((method) => method !== chosen)
            .map((method) => {
              const { icon: Icon, use } = WAYS[method];
              return (
                <Button
                  key={method}
                  variant="ghost"
                  className="-ms-4"
                  onClick={() => {
                    setFailure(undefined);
                    setChosen(method);
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

import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { FieldFrame, fieldMarks } from "@/ui/form/field-frame.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

/** Valid codes after spaces and hyphens are removed. */
const PATTERNS = { totp: /^\d{6}$/, recovery_code: /^[0-9a-z]{16}$/i };
const bare = (code: string): string => code.replace(/[\s-]/g, "");

type CodeFormProps = { method: "totp" | "recovery_code"; busy: boolean; onCode: (code: string) => void };

/** Asks for an app code, which is submitted as soon as it is complete, or for a recovery code. */
export function CodeForm({ method, busy, onCode }: CodeFormProps) {
  const { t } = useTranslation();
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
      <Button type="submit" variant="primary" size="lg" wide pending={busy}>
        {t("twoStep.confirm")}
      </Button>
    </form>
  );
}

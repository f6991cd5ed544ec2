import { loginInput } from "@innkey/shared/schemas/auth";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "@/components/form/field.tsx";
import { Form } from "@/components/form/form.tsx";
import { useZodForm } from "@/components/form/use-zod-form.ts";
import { Button } from "@/components/ui/button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { PasswordInput } from "@/components/ui/password-input.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import type { Me } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CaptchaField } from "./captcha-field.tsx";
import { useCaptcha } from "./use-captcha.ts";

export function LoginForm({ onLogin }: { onLogin: (me: Me) => Promise<void> }) {
  const { t } = useTranslation();
  const [captchaNeeded, setCaptchaNeeded] = useState(false);
  const captcha = useCaptcha(captchaNeeded);
  const login = useMutation(trpc.auth.login.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(loginInput, { defaultValues: { account: "", password: "" } });

  async function submit(values: { account: string; password: string; code?: string }): Promise<void> {
    try {
      await onLogin(await login.mutateAsync({ ...values, ...(captchaNeeded && { captchaId: captcha.captchaId }) }));
    } catch (error) {
      const failure = failureOf(error);
      const aboutCaptcha = failure.code === "captcha_required" || failure.code === "captcha_wrong";
      if (captchaNeeded) {
        captcha.renew();
        form.setValue("code", "");
      }
      if (aboutCaptcha) setCaptchaNeeded(true);
      if (!aboutCaptcha) throw error;
      form.setError("code", { type: failure.code, message: failureText(failure) }, { shouldFocus: true });
    }
  }

  return (
    <Form form={form} onSubmit={submit}>
      <Field form={form} name="account" label={t("auth.account")} required>
        {(control) => (
          <Input {...control} autoComplete="username" autoCapitalize="off" spellCheck={false} autoFocus dir="auto" />
        )}
      </Field>
      <Field
        form={form}
        name="password"
        label={t("auth.password")}
        required
        aside={
          <Link to="/find" className="rounded-sm text-brass-ink underline-offset-4 hover:underline">
            {t("auth.forgot")}
          </Link>
        }
      >
        {(control) => <PasswordInput {...control} autoComplete="current-password" />}
      </Field>
      {captchaNeeded && <CaptchaField form={form} name="code" captcha={captcha} autoFocus />}
      <Button type="submit" variant="primary" size="lg" wide className="mt-2" pending={form.formState.isSubmitting}>
        {t("auth.login")}
      </Button>
    </Form>
  );
}

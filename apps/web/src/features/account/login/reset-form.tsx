import { resetPasswordInput, sendRecoveryCodeInput } from "@innkey/shared/schemas/identity/auth";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { PasswordInput } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { CaptchaInput, type CaptchaModel, useCaptcha } from "./login-form.tsx";

export type SentCode = { account: string; handle: string; expiresInSeconds: number; resendAfterSeconds: number };

/** What a person types; the id of the captcha is added when the form is sent. */
const typedInput = sendRecoveryCodeInput.omit({ captchaId: true });

export function SendCodeForm({ account, onSent }: { account: string; onSent: (sent: SentCode) => void }) {
  const captcha = useCaptcha(true);
  const send = useMutation(trpc.auth.sendRecoveryCode.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(typedInput, { defaultValues: { account, code: "" } });

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        try {
          onSent({
            account: values.account,
            ...(await send.mutateAsync({ ...values, captchaId: await captcha.loadId() })),
          });
        } catch (error) {
          const failure = failureOf(error);
          captcha.renew();
          form.setValue("code", "");
          if (failure.code !== "captcha_wrong") throw error;
          form.setError("code", { type: failure.code, message: failureText(failure) }, { shouldFocus: true });
        }
      }}
    >
      <Field form={form} name="account" label={t("auth.account")} required>
        {(control) => (
          <Input {...control} autoComplete="username" autoCapitalize="off" spellCheck={false} autoFocus dir="auto" />
        )}
      </Field>
      <CaptchaField form={form} name="code" captcha={captcha} />
      <ActionButton type="submit" size="lg" className="w-full mt-2" pending={form.formState.isSubmitting}>
        {t("auth.sendCode")}
      </ActionButton>
    </Form>
  );
}

type CaptchaFieldProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  name: FieldPath<Input>;
  captcha: CaptchaModel;
};

function CaptchaField<Values extends FieldValues, Output>({ form, name, captcha }: CaptchaFieldProps<Values, Output>) {
  return (
    <Field form={form} name={name} label={t("auth.graphicCode")} required>
      {(control) => <CaptchaInput {...control} value={control.value ?? ""} captcha={captcha} />}
    </Field>
  );
}

function formatClock(seconds: number): string {
  return `${formatNumber(Math.floor(seconds / 60))}:${formatNumber(seconds % 60, { minimumIntegerDigits: 2 })}`;
}

export function ResetForm({
  sent,
  onAgain,
  onReset,
}: {
  sent: SentCode;
  onAgain: () => void;
  onReset: () => Promise<void>;
}) {
  const waitSeconds = useCountdown(sent.resendAfterSeconds);
  const reset = useMutation(trpc.auth.resetPassword.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(resetPasswordInput, {
    defaultValues: { handle: sent.handle, account: sent.account, code: "", password: "", confirmPassword: "" },
  });

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        try {
          await reset.mutateAsync(values);
          await onReset();
        } catch (error) {
          const failure = failureOf(error);
          if (failure.code !== "code_wrong") throw error;
          form.setError("code", { type: failure.code, message: failureText(failure) }, { shouldFocus: true });
        }
      }}
    >
      <Field
        form={form}
        name="code"
        label={t("auth.smsCode")}
        required
        aside={
          waitSeconds > 0 ? (
            <span className="text-muted-foreground tabular-nums">
              {t("auth.resendIn", { time: formatClock(waitSeconds) })}
            </span>
          ) : (
            <ActionButton variant="link" size="sm" className="min-h-6" onClick={onAgain}>
              {t("auth.resend")}
            </ActionButton>
          )
        }
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            autoFocus
            dir="ltr"
            className="font-mono text-xl! tracking-[0.4em]"
          />
        )}
      </Field>
      <Field form={form} name="password" label={t("auth.newPassword")} hint={t("auth.passwordHint")} required>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
      <Field form={form} name="confirmPassword" label={t("auth.confirmPassword")} required>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
      <ActionButton type="submit" size="lg" className="w-full mt-2" pending={form.formState.isSubmitting}>
        {t("auth.reset")}
      </ActionButton>
    </Form>
  );
}

/** Returns the whole seconds that remain of a period that started when the component was mounted. */
function useCountdown(seconds: number): number {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [end]);
  return secondsLeft;
}

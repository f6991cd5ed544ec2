import { sendRecoveryCodeInput } from "@innkey/shared/schemas/auth";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { Form } from "@/ui/form/form.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { CaptchaInput } from "./captcha-input.tsx";
import type { CaptchaModel } from "./use-captcha.ts";
import { useCaptcha } from "./use-captcha.ts";

export type SentCode = { account: string; handle: string; expiresInSeconds: number; resendAfterSeconds: number };

export function SendCodeForm({ account, onSent }: { account: string; onSent: (sent: SentCode) => void }) {
  const { t } = useTranslation();
  const captcha = useCaptcha(true);
  const send = useMutation(trpc.auth.sendRecoveryCode.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(sendRecoveryCodeInput, { defaultValues: { account, captchaId: "", code: "" } });

  useEffect(() => {
    form.setValue("captchaId", captcha.captchaId ?? "");
  }, [captcha.captchaId, form]);

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        try {
          onSent({ account: values.account, ...(await send.mutateAsync(values)) });
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
      <Button type="submit" variant="primary" size="lg" wide className="mt-2" pending={form.formState.isSubmitting}>
        {t("auth.sendCode")}
      </Button>
    </Form>
  );
}

type CaptchaFieldProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  name: FieldPath<Input>;
  captcha: CaptchaModel;
};

function CaptchaField<Values extends FieldValues, Output>({ form, name, captcha }: CaptchaFieldProps<Values, Output>) {
  const { t } = useTranslation();
  return (
    <Field form={form} name={name} label={t("auth.graphicCode")} required>
      {(control) => <CaptchaInput {...control} value={control.value ?? ""} captcha={captcha} />}
    </Field>
  );
}

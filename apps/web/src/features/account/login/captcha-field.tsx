import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import { CaptchaInput } from "./captcha-input.tsx";
import type { CaptchaModel } from "./use-captcha.ts";

type CaptchaFieldProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  name: FieldPath<Input>;
  captcha: CaptchaModel;
};

export function CaptchaField<Values extends FieldValues, Output>({
  form,
  name,
  captcha,
}: CaptchaFieldProps<Values, Output>) {
  const { t } = useTranslation();
  return (
    <Field form={form} name={name} label={t("auth.graphicCode")} required>
      {(control) => <CaptchaInput {...control} value={control.value ?? ""} captcha={captcha} />}
    </Field>
  );
}

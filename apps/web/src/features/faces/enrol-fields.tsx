import type { ReactNode } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import type { enrolForm } from "./face-form.ts";
import { FacePictureField } from "./face-picture-field.tsx";

type EnrolFieldsProps = {
  form: ZodForm<typeof enrolForm>;
  /** Field for choosing the guest. */
  children: ReactNode;
};

export function EnrolFields({ form, children }: EnrolFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Field form={form} name="fileId" label={t("face.picture")} layout="group" required>
        {({ value, onChange, id, ...control }) => (
          <FacePictureField
            id={id}
            value={value}
            onChange={(fileId) => {
              onChange(fileId);
              form.clearErrors("fileId");
            }}
            aria-labelledby={`${id}-label`}
            aria-describedby={control["aria-describedby"]}
          />
        )}
      </Field>
      <Field form={form} name="note" label={t("face.note")} hint={t("face.noteHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} dir="auto" />}
      </Field>
      {children}
      <Field form={form} name="consent" label={t("face.consent")} hint={t("face.consentText")} layout="inline" required>
        {(control) => <Checkbox {...control} />}
      </Field>
    </>
  );
}

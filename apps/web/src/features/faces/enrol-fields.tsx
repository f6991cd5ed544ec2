import { enrolFaceInput, grantFaceInput } from "@innkey/shared/schemas/access/faces";
import * as f from "@innkey/shared/schemas/fields";
import type { ReactNode } from "react";
import { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { CheckboxInput } from "@/ui/form/checkbox-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { FacePictureField } from "./face-picture-field.tsx";

/** Form for enrolling a face; it requires a picture and the person's consent. */
export const enrolForm = enrolFaceInput.extend({
  fileId: z.string().min(1, f.v.required),
  consent: z.boolean().refine((value) => value, f.v.required),
});

/** Form for granting a face access to doors for a period. */
export const grantForm = z
  .object({
    faceId: z.number(),
    roomIds: z.array(z.number()).min(1, f.v.required),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
  })
  .transform(({ ends, ...typed }, ctx) => {
    const until = ends === "until";
    const parsed = grantFaceInput.safeParse({ ...typed, validTo: until ? typed.validTo : null });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: typed });
    if (until && typed.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: typed });
    return parsed.data ?? z.NEVER;
  });

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
        {(control) => <CheckboxInput {...control} />}
      </Field>
    </>
  );
}

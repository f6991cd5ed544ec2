import type { DeviceLinkRow, deviceLinkInput } from "@innkey/shared/schemas/locks";
import type { Path } from "react-hook-form";
import type { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { PasswordInput } from "@/ui/primitives/password-input.tsx";

const PLAIN = {
  zigbee2mqtt: ["baseTopic"],
  home_assistant: ["prefix"],
  ttlock: ["baseUrl", "clientId", "account"],
} as const;
const SECRET = { zigbee2mqtt: [], home_assistant: [], ttlock: ["clientSecret", "password"] } as const;

type LinkFieldsProps = { form: ZodForm<typeof deviceLinkInput>; link: DeviceLinkRow };

export function LinkFields({ form, link }: LinkFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {PLAIN[link.kind].map((field) => (
        <Field
          key={field}
          form={form}
          name={field satisfies Path<z.input<typeof deviceLinkInput>>}
          label={t(`locks.links.field.${field}`)}
          required
        >
          {(control) => <Input {...control} dir="ltr" autoComplete="off" spellCheck={false} className="rtl:text-end" />}
        </Field>
      ))}
      {SECRET[link.kind].map((field) => (
        <Field
          key={field}
          form={form}
          name={field}
          label={t(`locks.links.field.${field}`)}
          hint={link.on ? t("locks.links.secretKept") : undefined}
          required={!link.on}
          quiet
        >
          {(control) => <PasswordInput {...control} value={control.value ?? ""} autoComplete="new-password" />}
        </Field>
      ))}
    </>
  );
}

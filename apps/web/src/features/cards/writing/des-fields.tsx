import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import { NumberInput } from "@/ui/form/number-input.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import type { newKeysForm } from "../new-keys-form.ts";

const KEYS = [
  { name: "sectorKey", digits: 12 },
  { name: "desKey", digits: 16 },
  { name: "desIv", digits: 16 },
] as const;

/** The keys of locks that read nothing but DES: typed in from their papers, and never shown again. */
export function DesFields({ form }: { form: ZodForm<typeof newKeysForm> }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="siteCode" label={t("encryption.siteCode")} hint={t("encryption.siteCodeHint")} required>
        {(control) => <NumberInput {...control} inputMode="numeric" />}
      </Field>
      {KEYS.map(({ name, digits }) => (
        <Field
          key={name}
          form={form}
          name={name}
          label={t(`encryption.${name}`)}
          hint={t("encryption.hexHint", { digits: formatNumber(digits) })}
          required
        >
          {(control) => (
            <Input
              {...control}
              dir="ltr"
              className="font-mono rtl:text-end"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

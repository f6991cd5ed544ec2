import { PasscodeType } from "@innkey/shared/enums";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { DoorChoice } from "@/entities/credential/door-choice.tsx";
import { KeyPeriodFields } from "@/entities/credential/key-period-fields.tsx";
import { StayFacts } from "@/entities/stay/stay-facts.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { RadioGroup } from "@/ui/primitives/radio-group.tsx";
import type { newCodeForm } from "./new-code-form.ts";

const DIGITS = 6;

type NewCodeFieldsProps = { form: ZodForm<typeof newCodeForm>; stay: StayDetail | null };

/**
 * Types of code on offer. A one-time code has no period, so for a reserved stay it would open another guest's room now.
 */
const offered = (stay: StayDetail | null): readonly PasscodeType[] =>
  PasscodeType.options.filter((type) => type !== "one_time" || stay?.state !== "reserved");

export function NewCodeFields({ form, stay }: NewCodeFieldsProps) {
  const { t } = useTranslation();
  const type = form.watch("type");
  return (
    <>
      {stay && <StayFacts stay={stay} />}
      <Field form={form} name="type" label={t("passcode.type")} layout="group" required>
        {(control) => (
          <RadioGroup
            {...control}
            options={offered(stay).map((value) => ({
              value,
              label: t(`locks.passcodeType.${value}`),
              hint: t(`locks.passcodeTypeHint.${value}`),
            }))}
          />
        )}
      </Field>
      {type === "custom" && (
        <Field form={form} name="code" label={t("passcode.code")} hint={t("passcode.codeHint")} required>
          {({ onChange, ...control }) => (
            <Input
              {...control}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              maxLength={DIGITS}
              placeholder="······"
              className="max-w-48 font-mono tracking-[0.25em] rtl:text-end"
              onChange={(event) => onChange(event.target.value.replace(/\D/g, ""))}
            />
          )}
        </Field>
      )}
      <Field form={form} name="person" label={t("passcode.person")} hint={t("passcode.personHint")} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={120} dir="auto" />}
      </Field>
      {!stay && (
        <Field form={form} name="roomIds" label={t("passcode.rooms")} required>
          {(control) => <DoorChoice {...control} single={type === "one_time"} />}
        </Field>
      )}
      {type === "one_time" ? (
        <p className="rounded-md bg-sunken px-4 py-3 text-pretty text-muted-foreground">{t("passcode.onceText")}</p>
      ) : stay ? (
        <p className="rounded-md bg-sunken px-4 py-3 text-pretty text-muted-foreground">{t("passcode.stayText")}</p>
      ) : (
        <KeyPeriodFields form={form} />
      )}
      <Field form={form} name="note" label={t("passcode.note")}>
        {(control) => <Input {...control} autoComplete="off" maxLength={200} dir="auto" />}
      </Field>
    </>
  );
}

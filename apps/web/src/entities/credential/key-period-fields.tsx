import type { Path, UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/lib/i18n.ts";
import { Field } from "@/ui/form/field.tsx";
import { HotelDateTimeInput } from "@/ui/form/hotel-date-time-input.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A chosen period as instants; `validFrom` null means from now. */
export type KeyPeriod = { ends: "until" | "permanent"; validFrom: string | null; validTo: string | null };

/** Returns the period from now until the same time tomorrow. */
export function aDay(now = Date.now()): KeyPeriod {
  const hour = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { ends: "until", validFrom: null, validTo: new Date(hour + DAY_MS).toISOString() };
}

type KeyPeriodFieldsProps<Input extends KeyPeriod, Output> = { form: UseFormReturn<Input, unknown, Output> };

/** Chooses the validity period of a code or face, with or without an end. */
export function KeyPeriodFields<Input extends KeyPeriod, Output>({ form }: KeyPeriodFieldsProps<Input, Output>) {
  const { t } = useTranslation();
  const name = (field: keyof KeyPeriod): Path<Input> => field as Path<Input>;
  const permanent = form.watch(name("ends")) === "permanent";
  return (
    <div className="grid gap-4">
      <Field form={form} name={name("ends")} label={t("passcode.howLong")} layout="group" required>
        {({ value: _value, ...control }) => (
          <Segmented<KeyPeriod["ends"]>
            {...control}
            value={permanent ? "permanent" : "until"}
            options={[
              { value: "until", label: t("passcode.untilDate") },
              { value: "permanent", label: t("passcode.permanent") },
            ]}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field form={form} name={name("validFrom")} label={t("passcode.validFrom")} hint={t("passcode.fromNow")}>
          {(control) => <HotelDateTimeInput {...control} />}
        </Field>
        {!permanent && (
          <Field form={form} name={name("validTo")} label={t("passcode.validTo")} required>
            {(control) => <HotelDateTimeInput {...control} />}
          </Field>
        )}
      </div>
    </div>
  );
}

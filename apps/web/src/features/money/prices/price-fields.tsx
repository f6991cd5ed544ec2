import * as f from "@innkey/shared/schemas/fields";
import { type PricesInput, pricesInput } from "@innkey/shared/schemas/rooms";
import { z } from "zod";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Field } from "@/ui/form/field.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import type { ZodForm } from "@/ui/form/use-zod-form.ts";
import { DatePricesField } from "./date-prices-field.tsx";

/** Prices, and the template's name if they belong to one. */
export const pricesForm = z.object({ name: f.text(60).optional(), prices: pricesInput });
export type PricesFormState = ZodForm<typeof pricesForm>;

const OPTIONAL = ["renewal", "hour", "month", "year"] as const;

/** Returns the form's initial values: the existing prices, or empty ones. */
export function startPrices(prices: PricesInput | null): Partial<PricesInput> {
  return (
    prices ?? { depositMinor: 0, renewalMinor: null, hourMinor: null, monthMinor: null, yearMinor: null, dates: [] }
  );
}

type PriceFieldsProps = {
  form: PricesFormState;
  readOnly?: boolean;
  /** Called with true while a single night's price has been typed but is not part of the form's prices yet. */
  onTyping?: (typing: boolean) => void;
};

/** Fields for all prices: nights, deposit, longer units, and single dates in a calendar. */
export function PriceFields({ form, readOnly, onTyping }: PriceFieldsProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const dates = form.watch("prices.dates") ?? [];
  const [usualMinor, weekendMinor] = form.watch(["prices.usualMinor", "prices.weekendMinor"]);
  return (
    <fieldset disabled={readOnly} className="grid items-start gap-8 xl:grid-cols-2">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="prices.usualMinor" label={t("prices.usual")} required>
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
        <Field form={form} name="prices.weekendMinor" label={t("prices.weekend")} required>
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
        <Field
          form={form}
          name="prices.depositMinor"
          label={t("prices.deposit")}
          hint={t("prices.depositHint")}
          required
        >
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
        {OPTIONAL.map((kind) => (
          <Field
            key={kind}
            form={form}
            name={`prices.${kind}Minor`}
            label={t(`prices.${kind}`)}
            hint={t(`prices.${kind}Hint`)}
          >
            {(control) => <MoneyInput {...control} currency={currency} />}
          </Field>
        ))}
      </div>
      <div>
        <h2 className="mb-3 text-sm font-medium">{t("prices.special")}</h2>
        <DatePricesField
          value={dates}
          onChange={(next) => form.setValue("prices.dates", next, { shouldDirty: true })}
          usualMinor={usualMinor}
          weekendMinor={weekendMinor}
          onTyping={onTyping}
        />
      </div>
    </fieldset>
  );
}

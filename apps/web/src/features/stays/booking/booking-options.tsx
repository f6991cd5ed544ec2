import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { Field } from "@/ui/form/field.tsx";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import type { BookingForm } from "./booking-form.ts";

/** Options of a stay other than its period, guests and money. */
export function BookingOptions({ form }: { form: BookingForm }) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <div className="grid gap-x-6 gap-y-3.5 sm:grid-cols-2">
      <div className="grid content-start gap-2.5">
        <Field form={form} name="breakfast" label={t("stay.breakfast")} layout="inline">
          {(control) => <Checkbox {...control} value={control.value ?? false} />}
        </Field>
        <Field
          form={form}
          name="disableOldCards"
          label={t("stay.disableOldCards")}
          hint={t("stay.disableOldCardsHint")}
          layout="inline"
        >
          {(control) => <Checkbox {...control} value={control.value ?? true} />}
        </Field>
        <Field
          form={form}
          name="idCardMatch"
          label={t("stay.idCardMatch")}
          hint={t("stay.idCardMatchHint")}
          layout="inline"
        >
          {(control) => <Checkbox {...control} value={control.value ?? false} />}
        </Field>
      </div>
      <div className="grid content-start gap-3.5">
        {can("customers.view") && (
          <Field form={form} name="customerId" label={t("stay.customer")}>
            {(control) => <CustomerCombobox {...control} value={control.value ?? null} />}
          </Field>
        )}
        <Field form={form} name="otherInformation" label={t("stay.otherInformation")}>
          {(control) => (
            <Textarea {...control} value={control.value ?? ""} rows={2} className="min-h-15" maxLength={1000} />
          )}
        </Field>
      </div>
    </div>
  );
}

import { StayUnit } from "@innkey/shared/enums";
import { Minus, Plus } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import { departureAfter, quantityOf } from "@/entities/stay/period.ts";
import { formatDuration } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";

type PeriodValues = { unit: StayUnit; startsAt: string; endsAt: string };

const MAX_QUANTITY: Record<StayUnit, number> = { hour: 72, day: 3660, month: 120, year: 10 };

/** Period of a stay: unit, count, start and end in hotel time. Changing one adjusts the others. */
export function PeriodFields<Values extends PeriodValues, Output>({
  form: wholeForm,
}: {
  form: UseFormReturn<Values, unknown, Output>;
}) {
  // The fields below exist in every form that has a period.
  const form = wholeForm as unknown as UseFormReturn<PeriodValues>;
  const hotel = useHotel();
  const [unit, startsAt, endsAt] = form.watch(["unit", "startsAt", "endsAt"]);
  const valid = Boolean(startsAt && endsAt) && Date.parse(endsAt) > Date.parse(startsAt);
  const quantity = valid ? quantityOf({ startsAt, endsAt }, unit, hotel) : 0;

  function setDeparture(start: string, count: number, inUnit: StayUnit): void {
    if (!start) return;
    const nights = Math.min(MAX_QUANTITY[inUnit], Math.max(1, count));
    form.setValue("endsAt", departureAfter(start, nights, inUnit, hotel), { shouldDirty: true, shouldValidate: true });
  }

  return (
    <div className="grid gap-x-3 gap-y-3.5 sm:grid-cols-2">
      <Field form={form} name="unit" label={t("stay.unit")} required layout="group">
        {({ onChange, ...control }) => (
          <Segmented
            {...control}
            className="w-full"
            onChange={(next) => {
              onChange(next);
              setDeparture(startsAt, 1, next);
            }}
            options={StayUnit.options.map((value) => ({ value, label: t(`stay.unitOf.${value}`) }))}
          />
        )}
      </Field>
      <fieldset aria-label={t("stay.quantity")} className="self-end">
        <div className="flex h-10 items-center gap-1 rounded-md border border-border bg-sunken px-0.5 lg:h-9">
          <IconButton
            icon={Minus}
            size="icon-sm"
            label={t("stay.shorter")}
            disabled={quantity <= 1}
            onClick={() => setDeparture(startsAt, quantity - 1, unit)}
          />
          <output className="flex-1 text-center font-semibold" aria-live="polite">
            {quantity > 0
              ? t(`stay.quantityOf.${unit}`, { count: quantity })
              : valid
                ? formatDuration(Date.parse(endsAt) - Date.parse(startsAt))
                : "–"}
          </output>
          <IconButton
            icon={Plus}
            size="icon-sm"
            label={t("stay.longer")}
            disabled={quantity >= MAX_QUANTITY[unit]}
            onClick={() => setDeparture(startsAt, quantity + 1, unit)}
          />
        </div>
      </fieldset>
      <Field form={form} name="startsAt" label={t("stay.arrival")} required>
        {({ onChange, ...control }) => (
          <HotelDateTimeInput
            {...control}
            onChange={(next) => {
              onChange(next ?? "");
              if (next) setDeparture(next, quantity, unit);
            }}
          />
        )}
      </Field>
      <Field form={form} name="endsAt" label={t("stay.departure")} required>
        {({ onChange, ...control }) => (
          <HotelDateTimeInput {...control} min={startsAt || undefined} onChange={(next) => onChange(next ?? "")} />
        )}
      </Field>
    </div>
  );
}

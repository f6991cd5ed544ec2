import { StayUnit } from "@innkey/shared/enums";
import type { Period } from "@innkey/shared/quote";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { Minus, Plus } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import { departureAfter, firstPeriod, quantityOf } from "@/entities/stay/period.ts";
import { formatDuration } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { type Me, useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Field } from "@/ui/form/field.tsx";
import { HotelDateTimeInput } from "@/ui/form/hotel-date-time-input.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { useZodForm, type ZodForm } from "@/ui/form/use-zod-form.ts";

export type BookingKind = "checkIn" | "reserve";
type BookingInput = z.input<typeof checkInInput>;
export type BookingOutput = z.output<typeof checkInInput>;
export type BookingForm = UseFormReturn<BookingInput, unknown, BookingOutput>;

/**
 * Returns the form for check-ins and reservations. A reservation has no deposit, and its schema drops the fields it
 * doesn't have.
 */
export function useBookingForm(
  kind: BookingKind,
  roomId: number,
  hotel: Me["hotel"],
  period?: Period,
): ZodForm<typeof checkInInput> {
  return useZodForm(checkInInput, {
    // With "onTouched", a guest who was just added would show errors before anything is typed.
    mode: "onBlur",
    defaultValues: {
      roomId,
      unit: "day",
      ...(period ?? firstPeriod(kind, hotel, Date.now())),
      guests: [NO_GUEST],
      breakfast: false,
      otherInformation: "",
      disableOldCards: true,
      idCardMatch: false,
      customerId: null,
      agreedTotalMinor: null,
      depositMinor: null,
      depositChannel: "cash",
      channel: null,
    },
  });
}

const MOST: Record<StayUnit, number> = { hour: 72, day: 3660, month: 120, year: 10 };

/** Period of a stay: unit, count, start and end in hotel time. Changing one adjusts the others. */
export function PeriodFields({ form }: { form: BookingForm }) {
  const { t } = useTranslation();
  const hotel = useHotel();
  const [unit, startsAt, endsAt] = form.watch(["unit", "startsAt", "endsAt"]);
  const valid = Boolean(startsAt && endsAt) && Date.parse(endsAt) > Date.parse(startsAt);
  const quantity = valid ? quantityOf({ startsAt, endsAt }, unit, hotel) : 0;

  function moveDeparture(start: string, count: number, inUnit: StayUnit): void {
    if (!start) return;
    const nights = Math.min(MOST[inUnit], Math.max(1, count));
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
              moveDeparture(startsAt, 1, next);
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
            onClick={() => moveDeparture(startsAt, quantity - 1, unit)}
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
            disabled={quantity >= MOST[unit]}
            onClick={() => moveDeparture(startsAt, quantity + 1, unit)}
          />
        </div>
      </fieldset>
      <Field form={form} name="startsAt" label={t("stay.arrival")} required>
        {({ onChange, ...control }) => (
          <HotelDateTimeInput
            {...control}
            onChange={(next) => {
              onChange(next ?? "");
              if (next) moveDeparture(next, quantity, unit);
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

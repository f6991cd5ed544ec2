import { PaymentChannel, StayUnit } from "@innkey/shared/enums";
import type { Period } from "@innkey/shared/quote";
import { checkInInput, type QuoteOutput } from "@innkey/shared/schemas/stays/stays";
import { Minus, Plus } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import { departureAfter, firstPeriod, quantityOf } from "@/entities/stay/period.ts";
import { AgreedTotal, ChannelChoice, MoneyRow, QuoteLines } from "@/entities/stay/stay-money.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDuration } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { type Me, useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { HotelDateTimeInput } from "@/ui/form/hotel-date-time-input.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

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

const MAX_QUANTITY: Record<StayUnit, number> = { hour: 72, day: 3660, month: 120, year: 10 };

/** Period of a stay: unit, count, start and end in hotel time. Changing one adjusts the others. */
export function PeriodFields({ form }: { form: BookingForm }) {
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

type BillProps = {
  form: BookingForm;
  kind: BookingKind;
  quote: QuoteOutput | undefined;
  error: unknown;
  settled: boolean;
};

/**
 * Returns the amount due with the booking in minor units: the total if it is paid now, plus the deposit at check-in.
 * Undefined without a price.
 */
export function useDueNow(form: BookingForm, kind: BookingKind, quote: QuoteOutput | undefined): number | undefined {
  const [agreedMinor, depositMinor, channel] = form.watch(["agreedTotalMinor", "depositMinor", "channel"]);
  const totalMinor = agreedMinor ?? quote?.totalMinor;
  const deposit = kind === "checkIn" ? (depositMinor ?? quote?.depositMinor ?? 0) : 0;
  const dueMinor = totalMinor === undefined ? undefined : (channel ? totalMinor : 0) + deposit;
  return Number.isNaN(dueMinor) ? undefined : dueMinor;
}

/** Shows the price of the stay, the deposit and the payment channel. */
export function Bill({ form, kind, quote, error, settled }: BillProps) {
  const { currency } = useHotel();
  const [agreedMinor, depositMinor] = form.watch(["agreedTotalMinor", "depositMinor"]);
  const deposit = kind === "checkIn" ? (depositMinor ?? quote?.depositMinor ?? 0) : 0;
  const dueMinor = useDueNow(form, kind, quote);

  return (
    <section aria-label={t("stay.bill")} className="grid grid-cols-1 gap-4">
      <div className={cn("grid gap-3 transition-opacity", !settled && "opacity-60")} aria-busy={!settled}>
        {error ? (
          <p className="font-medium text-danger">{failureText(failureOf(error))}</p>
        ) : quote ? (
          <>
            <QuoteLines lines={quote.lines} label={t("stay.quoteLines")} />
            <dl className="grid gap-2.5" aria-live="polite">
              {agreedMinor === null || agreedMinor === undefined ? (
                <MoneyRow label={t("stay.total")} minor={quote.totalMinor} strong />
              ) : (
                <MoneyRow
                  label={t("stay.quotedTotal")}
                  minor={quote.totalMinor}
                  className="border-t pt-2.5 text-muted-foreground line-through"
                />
              )}
            </dl>
          </>
        ) : (
          <>
            <Skeleton className="h-9" />
            <Skeleton className="h-6 w-1/2 justify-self-end" />
          </>
        )}
      </div>
      <AgreedTotal
        value={agreedMinor}
        quotedMinor={quote?.totalMinor}
        message={form.formState.errors.agreedTotalMinor?.message}
        onChange={(minor) =>
          form.setValue("agreedTotalMinor", minor, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
        }
      />
      <Field form={form} name="channel" label={t("stay.payRoom")} quiet layout="group">
        {(control) => <ChannelChoice {...control} laterLabel={t("stay.payLater")} />}
      </Field>
      {kind === "checkIn" && (
        <div className="grid grid-cols-[1fr_7.5rem] items-start gap-2">
          <Field form={form} name="depositMinor" label={t("stay.deposit")} quiet>
            {({ value, onChange, ...control }) => (
              <MoneyInput
                {...control}
                currency={currency}
                value={value ?? quote?.depositMinor}
                onChange={(minor) => onChange(minor ?? 0)}
              />
            )}
          </Field>
          <Field form={form} name="depositChannel" label={t("stay.depositBy")} quiet>
            {(control) => (
              <SelectInput
                {...control}
                disabled={deposit === 0}
                options={PaymentChannel.options.map((value) => ({ value, label: t(`stay.channel.${value}`) }))}
              />
            )}
          </Field>
        </div>
      )}
      <dl aria-live="polite">
        <MoneyRow label={t("stay.dueNow")} minor={dueMinor} strong />
      </dl>
    </section>
  );
}

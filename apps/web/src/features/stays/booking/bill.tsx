import { PaymentChannel } from "@innkey/shared/enums";
import type { QuoteOutput } from "@innkey/shared/schemas/stays/stays";
import { ChannelChoice } from "@/entities/stay/channel-choice.tsx";
import { MoneyRow, QuoteLines } from "@/entities/stay/quote-lines.tsx";

import { failureOf, failureText } from "@/lib/api-error.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Field } from "@/ui/form/field.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { AgreedTotal } from "./agreed-total.tsx";
import type { BookingForm, BookingKind } from "./period-fields.tsx";

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
  const [agreed, depositMinor, channel] = form.watch(["agreedTotalMinor", "depositMinor", "channel"]);
  const totalMinor = agreed ?? quote?.totalMinor;
  const deposit = kind === "checkIn" ? (depositMinor ?? quote?.depositMinor ?? 0) : 0;
  const dueMinor = totalMinor === undefined ? undefined : (channel ? totalMinor : 0) + deposit;
  return Number.isNaN(dueMinor) ? undefined : dueMinor;
}

/** Shows the price of the stay, the deposit and the payment channel. */
export function Bill({ form, kind, quote, error, settled }: BillProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const [agreed, depositMinor] = form.watch(["agreedTotalMinor", "depositMinor"]);
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
              {agreed === null || agreed === undefined ? (
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
        value={agreed}
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

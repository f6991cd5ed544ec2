import { daysBetween, isoWeekday, type LocalDate } from "@innkey/shared/hotel-time";
import { majorUnit } from "@innkey/shared/money";
import * as f from "@innkey/shared/schemas/fields";
import { type PricesInput, pricesInput } from "@innkey/shared/schemas/property/rooms";
import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type FocusEvent, type ReactNode, useEffect, useState } from "react";
import { z } from "zod";
import { formatLocalDate, formatMoney, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { DateRange } from "@/lib/time/weeks.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, FormActions, useLeaveGuard, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import {
  type DatePrice,
  type NightPrice,
  orderedRange,
  PriceCalendar,
  rangesOf,
  withRange,
} from "./price-calendar.tsx";

type DatePricesFieldProps = {
  value: readonly DatePrice[];
  onChange: (dates: DatePrice[]) => void;
  usualMinor: number | null | undefined;
  weekendMinor: number | null | undefined;
  /** Called with true while an amount has been typed for nights but is not applied yet. */
  onTyping?: (isTyping: boolean) => void;
};

/**
 * Sets prices of single nights: choose a day or range in the calendar and set a price, or go back to the usual price.
 */
function DatePricesField({ value, onChange, usualMinor, weekendMinor, onTyping }: DatePricesFieldProps) {
  const { weekendNights, currency, timeZone } = useHotel();
  const [start, setStart] = useState<LocalDate | null>(null);
  const [range, setRange] = useState<DateRange | null>(null);
  const [minor, setMinor] = useState<number | null>(null);
  const [isInvalid, setIsInvalid] = useState(false);
  const special = new Map(value.map(({ date, priceMinor }) => [date, priceMinor]));
  const futureRanges = rangesOf(value).filter(({ to }) => to >= hotelToday(timeZone));

  const isTyping = range !== null && minor !== null && minor !== special.get(range.from);
  useEffect(() => onTyping?.(isTyping), [isTyping, onTyping]);

  function priceOf(date: LocalDate): NightPrice {
    const specialMinor = special.get(date);
    if (specialMinor !== undefined) return { minor: specialMinor, kind: "special" };
    const weekend = weekendNights.includes(isoWeekday(date));
    const set = weekend ? weekendMinor : usualMinor;
    return { minor: set === undefined || Number.isNaN(set) ? null : set, kind: weekend ? "weekend" : "usual" };
  }

  function pick(date: LocalDate): void {
    const next = start === null ? { from: date, to: date } : orderedRange(start, date);
    setStart(start === null ? date : null);
    setRange(next);
    if (start === null) setMinor(special.get(date) ?? null);
    setIsInvalid(false);
  }

  function apply(): void {
    if (!range) return;
    if (minor === null || !Number.isInteger(minor) || minor < majorUnit(currency)) {
      setIsInvalid(true);
      return;
    }
    onChange(withRange(value, range, minor));
    clear();
  }

  /** Applies a typed amount once the focus leaves the field, so that saving includes it. */
  function applyOnLeave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (isTyping && !currentTarget.contains(relatedTarget) && Number.isInteger(minor)) apply();
  }

  function clear(): void {
    setStart(null);
    setRange(null);
    setMinor(null);
    setIsInvalid(false);
  }

  const rangeText = ({ from, to }: DateRange): string =>
    from === to ? formatLocalDate(from) : t("prices.range", { from: formatLocalDate(from), to: formatLocalDate(to) });

  return (
    <fieldset aria-label={t("prices.special")} className="min-w-0" onBlur={applyOnLeave}>
      <PriceCalendar priceOf={priceOf} range={range} onPick={pick} />
      <div className="mt-3 min-h-24 rounded-md bg-sunken p-3">
        {range ? (
          <>
            <div className="flex flex-wrap items-end gap-2">
              <div className="min-w-0 flex-1">
                <Label htmlFor="night-price">
                  {t("prices.nights", { count: daysBetween(range.from, range.to) + 1, range: rangeText(range) })}
                </Label>
                <div className="mt-1.5 max-w-44">
                  <MoneyInput
                    id="night-price"
                    key={`${range.from}${range.to}`}
                    value={minor}
                    onChange={setMinor}
                    currency={currency}
                    aria-invalid={isInvalid || undefined}
                    onKeyDown={(event) => {
                      if (event.key !== "Enter") return;
                      event.preventDefault();
                      apply();
                    }}
                  />
                </div>
              </div>
              <Button variant="outline" onClick={apply}>
                {t("prices.setNights")}
              </Button>
              <Button
                variant="ghost"
                onClick={() => {
                  onChange(withRange(value, range, null));
                  clear();
                }}
              >
                {t("prices.usualAgain")}
              </Button>
            </div>
            {isInvalid && (
              <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
                {t("validation.price")}
              </p>
            )}
          </>
        ) : (
          <p className="text-sm text-muted-foreground">{t("prices.pickHint")}</p>
        )}
      </div>
      {futureRanges.length > 0 && (
        <ul className="mt-3 divide-y border-t" aria-label={t("prices.special")}>
          {futureRanges.map((futureRange) => (
            <li key={futureRange.from} className="flex min-h-10 items-center gap-3 text-sm">
              <span className="flex-1">{rangeText(futureRange)}</span>
              <span className="font-medium">{formatMoney(futureRange.priceMinor, currency)}</span>
              <IconButton
                icon={Trash2}
                size="icon-sm"
                label={t("prices.removeRange", { range: rangeText(futureRange) })}
                onClick={() => onChange(withRange(value, futureRange, null))}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

/** Prices, and the template's name if they belong to one. */
export const pricesForm = z.object({ name: f.text(60).optional(), prices: pricesInput });
type PricesFormState = ZodForm<typeof pricesForm>;

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
  onTyping?: (isTyping: boolean) => void;
};

/** Fields for all prices: nights, deposit, longer units, and single dates in a calendar. */
export function PriceFields({ form, readOnly, onTyping }: PriceFieldsProps) {
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

type PricesFormProps = {
  roomIds: number[];
  prices: PricesInput | null;
  /** Text above the buttons that explains what saving does. */
  note?: ReactNode;
  readOnly?: boolean;
  onCancel?: () => void;
  onSaved?: () => void;
};

/** Edits all prices of one room, or of many rooms at once. */
export function PricesForm({ roomIds, prices, note, readOnly, onCancel, onSaved }: PricesFormProps) {
  const save = useMutation(trpc.rooms.setPrices.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(pricesForm, {
    defaultValues: { prices: startPrices(prices) },
    // Follows prices that change elsewhere, for example by a template, and keeps what was typed.
    ...(prices && { values: { prices } }),
    resetOptions: { keepDirtyValues: true },
  });
  const [isTyping, setIsTyping] = useState(false);
  const unsaved = form.formState.isDirty || isTyping;
  useLeaveGuard(unsaved && !readOnly);

  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await save.mutateAsync({ roomIds, prices: values.prices });
        toast.success(t("prices.saved", { count: roomIds.length }));
        form.reset(form.getValues());
        onSaved?.();
      }}
    >
      <PriceFields form={form} readOnly={readOnly} onTyping={setIsTyping} />
      {note}
      {!readOnly && (
        <FormActions>
          {onCancel && (
            <Button variant="outline" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
          )}
          <ActionButton type="submit" pending={form.formState.isSubmitting} disabled={roomIds.length === 1 && !unsaved}>
            {t("prices.save", { count: roomIds.length })}
          </ActionButton>
        </FormActions>
      )}
    </Form>
  );
}

/** Sets the same prices for many rooms. It replaces all their old prices, including those of single dates. */
export default function BulkPricesDialog({
  roomIds,
  onClose,
  onDone,
}: {
  roomIds: number[];
  onClose: () => void;
  onDone: () => void;
}) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        width="lg"
        className="sm:max-w-5xl"
        title={t("prices.bulkTitle", { count: roomIds.length })}
        startsAtField
      >
        <PricesForm
          roomIds={roomIds}
          prices={null}
          onCancel={onClose}
          onSaved={onDone}
          note={<Callout tone="warning" title={t("prices.bulkNote", { count: roomIds.length })} />}
        />
      </DialogPanel>
    </Dialog>
  );
}

import { HOUR_FORMATS, type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { type HotelOutput, hotelInput, TwoStepPolicy } from "@innkey/shared/schemas/property/hotel";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { language, t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { TimeInput } from "@/ui/form/dates/time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useLeaveGuard, useZodForm } from "@/ui/form/form.tsx";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { PictureField } from "@/ui/form/picture-parts.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { NumberInput, PhoneInput } from "@/ui/form/text-input.tsx";
import { WeekdayToggle } from "@/ui/form/weekday-toggle.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { currencyOptions, zoneOptions } from "../setup/places.ts";
import { PositionField } from "./position-field.tsx";

/** Writes a time in the afternoon as a choice of the hotel would. */
function writeAfternoon(hourFormat: HourFormat): string {
  const format = new Intl.DateTimeFormat(timeTag(language.tag, hourFormat), { timeStyle: "short", timeZone: "UTC" });
  return format.format(Date.UTC(2026, 0, 1, 14, 30));
}

/** What the hotel allows guests on their page. */
const GUEST_PAGE_SWITCHES = [
  "guestOpensDoor",
  "guestChecksIn",
  "guestAsksLate",
  "guestChecksOut",
  "guestGivesIdentity",
  "guestGivesDocument",
  "guestGivesPhoto",
  "guestGivesSignature",
  "guestGivesArrival",
] as const;

/**
 * Edits the hotel's data. A new time zone, currency or time of day affects future prices and stays, but not existing
 * charges.
 */
export function HotelForm({ hotel, editable }: { hotel: HotelOutput; editable: boolean }) {
  const zones = useMemo(() => zoneOptions(hotel.timeZone), [hotel.timeZone]);
  const currencies = useMemo(currencyOptions, []);
  const policies = TwoStepPolicy.options.map((value) => ({ value, label: t(`hotel.twoStepPolicy.${value}`) }));
  const hourFormats = HOUR_FORMATS.map((value) => ({
    value,
    label: t(`hotel.hourFormats.${value}`, { time: writeAfternoon(value) }),
  }));
  const save = useMutation(trpc.hotel.update.mutationOptions({ meta: { shownInForm: true } }));
  const form = useZodForm(hotelInput, { defaultValues: hotelInput.parse(hotel), disabled: !editable });
  useLeaveGuard(form.formState.isDirty);
  const currency = form.watch("currency");
  const [latitude, longitude] = form.watch(["latitude", "longitude"]);

  return (
    <Form
      form={form}
      className="gap-5"
      onSubmit={async (values) => {
        const saved = await save.mutateAsync(values);
        toast.success(t("hotel.saved"));
        form.reset(hotelInput.parse(saved));
      }}
    >
      <Section title={t("hotel.identity")} text={t("hotel.identityText")}>
        <Field form={form} name="name" label={t("hotel.name")} required className="sm:col-span-2">
          {(control) => <Input {...control} maxLength={120} autoComplete="organization" />}
        </Field>
        <Field form={form} name="address" label={t("hotel.address")} className="sm:col-span-2">
          {(control) => <Input {...control} maxLength={300} />}
        </Field>
        <Field form={form} name="tel" label={t("hotel.tel")} className="sm:col-span-2">
          {(control) => <PhoneInput {...control} />}
        </Field>
        <Field form={form} name="latitude" label={t("hotel.latitude")}>
          {(control) => <NumberInput {...control} placeholder="52.52000" />}
        </Field>
        <Field form={form} name="longitude" label={t("hotel.longitude")}>
          {(control) => <NumberInput {...control} placeholder="13.40495" />}
        </Field>
        {editable && (
          <PositionField
            hasPosition={latitude != null || longitude != null}
            onChange={(position) => {
              const options = { shouldDirty: true, shouldValidate: true };
              form.setValue("latitude", position?.latitude ?? null, options);
              form.setValue("longitude", position?.longitude ?? null, options);
            }}
          />
        )}
      </Section>
      <Section title={t("hotel.receipts")} text={t("hotel.receiptsText")}>
        <Field form={form} name="legalName" label={t("hotel.legalName")} hint={t("hotel.legalNameHint")}>
          {(control) => <Input {...control} value={control.value ?? ""} maxLength={160} />}
        </Field>
        <Field form={form} name="taxNumber" label={t("hotel.taxNumber")}>
          {(control) => <Input {...control} value={control.value ?? ""} maxLength={40} />}
        </Field>
        <Field form={form} name="logoFileId" label={t("hotel.logo")} className="sm:col-span-2">
          {(control) => <PictureField {...control} kind="logo" alt={t("hotel.logo")} hint={t("hotel.logoHint")} />}
        </Field>
      </Section>
      <Section title={t("hotel.clock")} text={t("hotel.clockText")}>
        <Field form={form} name="timeZone" label={t("hotel.timeZone")} required>
          {(control) => <Combobox {...control} options={zones} />}
        </Field>
        <Field form={form} name="currency" label={t("hotel.currency")} hint={t("hotel.currencyHint")} required>
          {(control) => <Combobox {...control} options={currencies} />}
        </Field>
        <Field
          form={form}
          name="hourFormat"
          label={t("hotel.hourFormat")}
          hint={t("hotel.hourFormatHint")}
          layout="group"
          className="sm:col-span-2"
          quiet
        >
          {(control) => <RadioInput {...control} options={hourFormats} />}
        </Field>
        <Field form={form} name="checkInTime" label={t("hotel.checkInTime")} required>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field form={form} name="checkOutTime" label={t("hotel.checkOutTime")} required>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field form={form} name="dayStartTime" label={t("hotel.dayStartTime")} hint={t("hotel.dayStartHint")} required>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field
          form={form}
          name="weekendNights"
          label={t("hotel.weekendNights")}
          hint={t("hotel.weekendHint")}
          layout="group"
          quiet
        >
          {(control) => <WeekdayToggle {...control} />}
        </Field>
      </Section>
      <Section title={t("hotel.access")} text={t("hotel.accessText")}>
        <Field
          form={form}
          name="accessEarlyMinutes"
          label={t("hotel.accessEarly")}
          hint={t("hotel.accessEarlyHint")}
          required
        >
          {(control) => <NumberInput {...control} inputMode="numeric" />}
        </Field>
        <Field
          form={form}
          name="accessLateMinutes"
          label={t("hotel.accessLate")}
          hint={t("hotel.accessLateHint")}
          required
        >
          {(control) => <NumberInput {...control} inputMode="numeric" />}
        </Field>
      </Section>
      <Section title={t("hotel.breakfast")} text={t("hotel.breakfastText")}>
        <Field form={form} name="breakfastFrom" label={t("hotel.breakfastFrom")} required>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field form={form} name="breakfastTo" label={t("hotel.breakfastTo")} required>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field
          form={form}
          name="breakfastPriceMinor"
          label={t("hotel.breakfastPrice")}
          hint={t("hotel.breakfastPriceHint")}
          required
        >
          {(control) => <MoneyInput {...control} currency={currency} />}
        </Field>
      </Section>
      <Section title={t("hotel.guests")} text={t("hotel.guestsText")}>
        <Field form={form} name="wifiName" label={t("hotel.wifiName")}>
          {(control) => <Input {...control} maxLength={64} autoComplete="off" spellCheck={false} />}
        </Field>
        <Field form={form} name="wifiPassword" label={t("hotel.wifiPassword")}>
          {(control) => (
            <Input
              {...control}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              className="font-mono rtl:text-end"
            />
          )}
        </Field>
        <Field form={form} name="notice" label={t("hotel.notice")} className="sm:col-span-2">
          {(control) => <Textarea {...control} maxLength={2000} rows={4} />}
        </Field>
        {GUEST_PAGE_SWITCHES.map((name) => (
          <Field
            key={name}
            form={form}
            name={name}
            label={t(`hotel.${name}`)}
            hint={t(`hotel.${name}Hint`)}
            layout="inline"
            className="sm:col-span-2"
          >
            {(control) => <CheckboxInput {...control} />}
          </Field>
        ))}
      </Section>
      <Section title={t("twoStep.title")} text={t("hotel.twoStepText")}>
        <Field
          form={form}
          name="twoStep"
          label={t("hotel.twoStep")}
          hint={t("hotel.twoStepHint")}
          layout="group"
          className="sm:col-span-2"
          quiet
        >
          {(control) => <RadioInput {...control} options={policies} />}
        </Field>
      </Section>
      <Section title={t("hotel.privacy")}>
        <Field
          form={form}
          name="retentionDays"
          label={t("hotel.retentionDays")}
          hint={t("hotel.retentionHint")}
          className="sm:col-span-2"
        >
          {(control) => <NumberInput {...control} inputMode="numeric" className="max-w-32" />}
        </Field>
        <Field
          form={form}
          name="recordMonths"
          label={t("hotel.recordMonths")}
          hint={t("hotel.recordMonthsHint")}
          className="sm:col-span-2"
        >
          {(control) => <NumberInput {...control} inputMode="numeric" className="max-w-32" />}
        </Field>
      </Section>
      {editable && (
        <div className="sticky bottom-0 -mx-4 flex items-center justify-end gap-2 border-t bg-background px-4 py-3 lg:mx-0 lg:px-0">
          <Button variant="outline" disabled={!form.formState.isDirty} onClick={() => form.reset()}>
            {t("hotel.discard")}
          </Button>
          <ActionButton type="submit" disabled={!form.formState.isDirty} pending={form.formState.isSubmitting}>
            {t("common.save")}
          </ActionButton>
        </div>
      )}
    </Form>
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Card className="grid gap-x-8 gap-y-4 p-5 md:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[18rem_minmax(0,44rem)]">
      <div>
        <h2 className="text-lg font-semibold">{title}</h2>
        {text && <p className="mt-1 text-sm text-pretty text-muted-foreground">{text}</p>}
      </div>
      <div className="grid content-start gap-4 sm:grid-cols-2">{children}</div>
    </Card>
  );
}

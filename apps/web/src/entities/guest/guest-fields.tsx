import { DocumentType, Gender } from "@innkey/shared/enums";
import type { guestInput } from "@innkey/shared/schemas/stays";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { countryOptions } from "@/ui/form/countries.ts";
import { Field } from "@/ui/form/field.tsx";
import { asChoice, asDate, asText } from "@/ui/form/field-values.ts";
import { PhoneInput } from "@/ui/form/phone-input.tsx";
import { Combobox } from "@/ui/primitives/combobox.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Select } from "@/ui/primitives/select.tsx";
import { GuestNameInput, type MatchingGuest } from "./guest-name-input.tsx";

export type GuestFormInput = z.input<typeof guestInput>;

/** An empty guest, as the form starts. */
export const NO_GUEST = {
  name: "",
  gender: null,
  nationality: null,
  birthDate: null,
  documentType: null,
  documentNumber: "",
  mobile: "",
  email: "",
} satisfies GuestFormInput;

type GuestFieldsProps<Form extends FieldValues, Output> = {
  form: UseFormReturn<Form, unknown, Output>;
  /** Where in the form a guest's field is. */
  at: (name: keyof GuestFormInput) => FieldPath<Form>;
  /** Offers earlier guests while the name is typed. */
  onKnown?: (guest: MatchingGuest) => void;
  documentHint?: string;
};

/** A person's identity and contact as the desk takes it down. */
export function GuestFields<Form extends FieldValues, Output>({
  form,
  at,
  onKnown,
  documentHint,
}: GuestFieldsProps<Form, Output>) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 sm:grid-cols-6">
      <Field form={form} name={at("name")} label={t("guest.name")} required className="col-span-2 sm:col-span-4">
        {(control) =>
          onKnown ? (
            <GuestNameInput {...asText(control)} onKnown={onKnown} />
          ) : (
            <Input {...asText(control)} autoComplete="off" />
          )
        }
      </Field>
      <Field form={form} name={at("gender")} label={t("guest.gender")} quiet className="sm:col-span-2">
        {(control) => (
          <Select
            {...asChoice<Gender>(control)}
            placeholder={t("guest.notTold")}
            options={Gender.options.map((value) => ({ value, label: t(`guest.genderOf.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name={at("documentType")} label={t("guest.documentType")} quiet className="sm:col-span-2">
        {(control) => (
          <Select
            {...asChoice<DocumentType>(control)}
            placeholder={t("guest.noDocument")}
            options={DocumentType.options.map((value) => ({ value, label: t(`guest.document.${value}`) }))}
          />
        )}
      </Field>
      <Field
        form={form}
        name={at("documentNumber")}
        label={t("guest.documentNumber")}
        quiet
        hint={documentHint}
        className="sm:col-span-2"
      >
        {(control) => (
          <Input
            {...asText(control)}
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
            autoCapitalize="characters"
          />
        )}
      </Field>
      <Field form={form} name={at("nationality")} label={t("guest.nationality")} quiet className="sm:col-span-2">
        {(control) => (
          <Combobox
            {...asChoice<string>(control)}
            clearable
            options={countryOptions()}
            placeholder={t("guest.notTold")}
          />
        )}
      </Field>
      <Field form={form} name={at("mobile")} label={t("guest.mobile")} quiet className="sm:col-span-2">
        {(control) => <PhoneInput {...asText(control)} />}
      </Field>
      <Field form={form} name={at("email")} label={t("guest.email")} quiet className="sm:col-span-2">
        {(control) => <Input {...asText(control)} type="email" dir="ltr" className="rtl:text-end" autoComplete="off" />}
      </Field>
      <Field form={form} name={at("birthDate")} label={t("guest.birthDate")} quiet className="sm:col-span-2">
        {(control) => <Input {...asDate(control)} type="date" min="1900-01-01" max={hotelToday(timeZone)} />}
      </Field>
    </div>
  );
}

/** Whether a document's number came with its middle hidden: it can be shown, never sent back. */
export function isMasked(documentNumber: string): boolean {
  return /[•*]/.test(documentNumber);
}

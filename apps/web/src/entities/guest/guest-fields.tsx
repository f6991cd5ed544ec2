import { DocumentType, Gender } from "@innkey/shared/enums";
import { isDocumentNumber } from "@innkey/shared/schemas/fields";
import type { guestInput, matchingGuest } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { readStored, writeStored } from "@/lib/browser/stored.ts";
import { cn } from "@/lib/cn.ts";
import { formatDate, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { countryName, countryOptions } from "@/ui/form/countries.ts";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { asChoice, asText, Field, type FieldControl } from "@/ui/form/field.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PhoneInput } from "@/ui/form/text-input.tsx";
import { Input } from "@/ui/primitives/input.tsx";

export type MatchingGuest = z.output<typeof matchingGuest>;
type GuestNameInputProps = FieldControl<string> & { onSelectGuest: (guest: MatchingGuest) => void };

const MIN_SEARCH_LENGTH = 2;
const MAX_SUGGESTIONS = 6;

/**
 * Input for a name. Name, phone or document number also find earlier guests; choosing one fills in the other fields.
 */
function GuestNameInput({ onSelectGuest, onChange, onBlur, value, ...control }: GuestNameInputProps) {
  const { timeZone } = useHotel();
  const list = useId();
  const [isTyping, setIsTyping] = useState(false);
  const [activeIndex, setActiveIndex] = useState(-1);
  const query = useDebounced(value.trim());
  const isSearching = isTyping && query.length >= MIN_SEARCH_LENGTH;
  const matches = useQuery(trpc.guests.search.queryOptions({ query: query.slice(0, 80) }, { enabled: isSearching }));
  // Guests found for an earlier text are not offered, because one guest's data could end up in another's stay.
  const isCurrent = isSearching && query === value.trim();
  const guests = isCurrent ? (matches.data ?? []).slice(0, MAX_SUGGESTIONS) : [];

  function close(): void {
    setIsTyping(false);
    setActiveIndex(-1);
  }

  function choose(guest: MatchingGuest): void {
    close();
    onSelectGuest(guest);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (guests.length === 0) return;
    const activeGuest = guests[activeIndex];
    if (event.key === "ArrowDown") setActiveIndex((activeIndex + 1) % guests.length);
    else if (event.key === "ArrowUp") setActiveIndex((activeIndex <= 0 ? guests.length : activeIndex) - 1);
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && activeGuest) choose(activeGuest);
    else return;
    event.preventDefault();
  }

  return (
    <div className="relative">
      <Input
        {...control}
        value={value}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={guests.length > 0}
        aria-controls={list}
        aria-activedescendant={activeIndex >= 0 ? `${list}-${activeIndex}` : undefined}
        onChange={(event) => {
          setIsTyping(true);
          setActiveIndex(-1);
          onChange(event);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onBlur();
        }}
      />
      <div
        id={list}
        role="listbox"
        aria-label={t("guest.stayedBefore")}
        hidden={guests.length === 0}
        className="absolute inset-x-0 top-full z-20 mt-1 rounded-lg border bg-popover p-1 shadow-float sm:min-w-96"
      >
        {guests.map((guest, index) => (
          <div
            key={guest.guestId}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(guest);
            }}
            onPointerEnter={() => setActiveIndex(index)}
            className={cn(
              "flex min-h-11 cursor-default items-center gap-3 rounded-sm px-2 py-1.5",
              index === activeIndex && "bg-hover",
            )}
          >
            <UserRoundCheck aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="min-w-0 flex-1">
              <span dir="auto" className="name-run block truncate font-medium">
                {guest.name}
              </span>
              <span className="block truncate text-sm text-muted-foreground">
                {[guest.nationality && countryName(guest.nationality), guest.mobile, guest.documentNumber]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
            {guest.lastStayAt && (
              <span className="shrink-0 text-sm text-muted-foreground">{formatDate(guest.lastStayAt, timeZone)}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

type GuestFormInput = z.input<typeof guestInput>;

/** An empty guest, the start value of the form. */
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

/** The type of document that was chosen last on this computer */
const TYPE_KEY = "documentType";
const usualDocumentType = (): DocumentType => DocumentType.safeParse(readStored(TYPE_KEY)).data ?? "passport";

type GuestFieldsProps<Form extends FieldValues, Output> = {
  form: UseFormReturn<Form, unknown, Output>;
  /** Returns the path of a guest's field in the form. */
  at: (name: keyof GuestFormInput) => FieldPath<Form>;
  /** Called when an earlier guest is chosen; without it none are offered while the name is typed. */
  onSelectGuest?: (guest: MatchingGuest) => void;
  documentHint?: string;
};

/** Fields for a person's identity and contact data. */
export function GuestFields<Form extends FieldValues, Output>({
  form,
  at,
  onSelectGuest,
  documentHint,
}: GuestFieldsProps<Form, Output>) {
  const { timeZone } = useHotel();
  const [isTypeFilledIn, setIsTypeFilledIn] = useState(false);

  function chooseType({ onChange }: Pick<FieldControl<unknown>, "onChange">, type: DocumentType | null): void {
    onChange(type);
    setIsTypeFilledIn(false);
    if (type !== null) writeStored(TYPE_KEY, type);
  }

  /** A number without a type is worth little to an authority; nearly all guests of a desk show documents of one type. */
  function fillInType(number: string): void {
    const name = at("documentType");
    const isGiven = isDocumentNumber(number);
    const isMissing = (form.getValues(name) ?? null) === null;
    if (isGiven ? !isMissing : !isTypeFilledIn) return;
    const type = isGiven ? usualDocumentType() : null;
    form.setValue(name, type as FieldPathValue<Form, typeof name>, { shouldDirty: true });
    setIsTypeFilledIn(isGiven);
  }

  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 sm:grid-cols-6">
      <Field form={form} name={at("name")} label={t("guest.name")} required className="col-span-2 sm:col-span-4">
        {(control) =>
          onSelectGuest ? (
            <GuestNameInput {...asText(control)} onSelectGuest={onSelectGuest} />
          ) : (
            <Input {...asText(control)} autoComplete="off" />
          )
        }
      </Field>
      <Field form={form} name={at("gender")} label={t("guest.gender")} quiet className="sm:col-span-2">
        {(control) => (
          <SelectInput
            {...asChoice<Gender>(control)}
            placeholder={t("guest.notTold")}
            options={Gender.options.map((value) => ({ value, label: t(`guest.genderOf.${value}`) }))}
          />
        )}
      </Field>
      <Field form={form} name={at("documentType")} label={t("guest.documentType")} quiet className="sm:col-span-2">
        {(control) => (
          <SelectInput
            {...asChoice<DocumentType>(control)}
            onChange={(type) => chooseType(control, type)}
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
            onChange={(event) => {
              control.onChange(event);
              fillInType(event.target.value);
            }}
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
      <Field form={form} name={at("mobile")} label={t("guest.mobile")} quiet className="col-span-2">
        {(control) => <PhoneInput {...asText(control)} />}
      </Field>
      <Field form={form} name={at("email")} label={t("guest.email")} quiet className="col-span-2">
        {(control) => <Input {...asText(control)} type="email" dir="ltr" className="rtl:text-end" autoComplete="off" />}
      </Field>
      <Field form={form} name={at("birthDate")} label={t("guest.birthDate")} quiet className="col-span-2">
        {(control) => <DateInput {...asText(control)} min="1900-01-01" max={hotelToday(timeZone)} />}
      </Field>
    </div>
  );
}

/** Checks whether the server has masked the document number. Such a number must not be sent back. */
export function isMasked(documentNumber: string): boolean {
  return /[•*]/.test(documentNumber);
}

import { UserPlus, X } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { GuestFields, isMasked, NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import type { MatchingGuest } from "@/entities/guest/guest-name-input.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import type { BookingForm } from "./booking-form.ts";

const MAX_GUESTS = 20;

export function GuestListFields({ form }: { form: BookingForm }) {
  const { t } = useTranslation();
  const guests = useFieldArray({ control: form.control, name: "guests" });

  function fill(
    index: number,
    { name, gender, nationality, birthDate, documentType, documentNumber, mobile, email }: MatchingGuest,
  ): void {
    const guest = { name, gender, nationality, birthDate, documentType, mobile, email };
    form.setValue(
      `guests.${index}`,
      { ...guest, documentNumber: isMasked(documentNumber) ? "" : documentNumber },
      { shouldDirty: true },
    );
    form.clearErrors(`guests.${index}`);
  }

  return (
    <div className="grid gap-5">
      {guests.fields.map((guest, index) => (
        <fieldset key={guest.id} className="min-w-0">
          <div className="mb-2.5 flex min-h-8 items-center justify-between">
            <legend className="float-start font-semibold">
              {guests.fields.length === 1 ? t("stay.guest") : t("stay.guestNumber", { number: index + 1 })}
            </legend>
            {index > 0 && (
              <IconButton
                icon={X}
                size="iconSm"
                label={t("stay.removeGuest", { number: index + 1 })}
                onClick={() => guests.remove(index)}
              />
            )}
          </div>
          <GuestFields form={form} at={(name) => `guests.${index}.${name}`} onKnown={(guest) => fill(index, guest)} />
        </fieldset>
      ))}
      {guests.fields.length < MAX_GUESTS && (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => guests.append(NO_GUEST, { focusName: `guests.${guests.fields.length}.name` })}
        >
          <UserPlus aria-hidden />
          {t("stay.addGuest")}
        </Button>
      )}
    </div>
  );
}

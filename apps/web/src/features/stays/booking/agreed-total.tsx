import { useId, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Label } from "@/ui/primitives/label.tsx";

type AgreedTotalProps = {
  value: number | null | undefined;
  onChange: (minor: number | null) => void;
  /** Initial value of the field: the quoted total. */
  quotedMinor: number | undefined;
  message?: string;
};

/** Sets a total agreed with the guest, which replaces the quoted one. It needs a permission. */
export function AgreedTotal({ value, onChange, quotedMinor, message }: AgreedTotalProps) {
  const { currency } = useHotel();
  const can = useCan();
  const id = useId();
  const [isOpen, setIsOpen] = useState(value !== null && value !== undefined);
  if (!can("prices.agree")) return null;
  if (!isOpen) {
    return (
      <Button
        variant="link"
        className="justify-self-start"
        onClick={() => {
          setIsOpen(true);
          onChange(quotedMinor ?? null);
        }}
      >
        {t("stay.agreeTotal")}
      </Button>
    );
  }
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>{t("stay.agreedTotal")}</Label>
        <Button
          variant="link"
          className="text-sm"
          onClick={() => {
            setIsOpen(false);
            onChange(null);
          }}
        >
          {t("stay.useQuoted")}
        </Button>
      </div>
      <MoneyInput
        id={id}
        currency={currency}
        value={value}
        onChange={onChange}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? `${id}-error` : undefined}
      />
      {message && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {message}
        </p>
      )}
    </div>
  );
}

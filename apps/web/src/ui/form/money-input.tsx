import { fromDecimal, toDecimal } from "@innkey/shared/money";
import { type ComponentProps, useState } from "react";
import { language } from "@/lib/i18n.ts";
import type { Input } from "../primitives/input.tsx";
import { TextInput } from "./text-input.tsx";

type MoneyInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type" | "end"> & {
  /** Amount in integer minor units. */
  value: number | null | undefined;
  /** Receives null for an empty input, and NaN for an invalid amount, so that the schema refuses it. */
  onChange: (minor: number | null) => void;
  currency: string;
};

/**
 * Converts "1 234,50", "1,234.50" and "١٬٢٣٤٫٥٠" to a plain decimal. A single separator before three digits groups
 * thousands, unless the currency has three decimals.
 */
function plainDecimal(text: string, digits: number): string {
  const western = text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll("\u066b", ".");
  const compact = western.replace(/[^\d.,-]/g, "");
  const last = Math.max(compact.lastIndexOf("."), compact.lastIndexOf(","));
  if (last < 0) return compact;
  const fraction = compact.slice(last + 1);
  const whole = compact.slice(0, last).replace(/[.,]/g, "");
  const groups = digits === 0 || (fraction.length === 3 && digits !== 3);
  return groups ? whole + fraction : `${whole}.${fraction}`;
}

const decimalMark = new Intl.NumberFormat(language.tag)
  .formatToParts(0.5)
  .find(({ type }) => type === "decimal")?.value;

/** Formats an amount for editing in the chosen language: "1234,50". */
function editableText(minor: number, currency: string): string {
  return toDecimal(minor, currency).replace(".", decimalMark ?? ".");
}

function symbolOf(currency: string): string {
  const parts = new Intl.NumberFormat(language.tag, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0);
  return parts.find((part) => part.type === "currency")?.value ?? currency;
}

export function MoneyInput({ value, onChange, currency, onBlur, ...props }: MoneyInputProps) {
  const formatted = value === null || value === undefined || Number.isNaN(value) ? "" : editableText(value, currency);
  const [typed, setTyped] = useState<string | null>(null);
  const digits = toDecimal(0, currency).split(".")[1]?.length ?? 0;

  function change(text: string): void {
    setTyped(text);
    const minor = fromDecimal(plainDecimal(text, digits), currency) ?? Number.NaN;
    onChange(text.trim() === "" ? null : minor);
  }

  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...props}
      dir="ltr"
      className="text-end rtl:ps-10 rtl:pe-3"
      value={typed ?? formatted}
      onChange={(event) => change(event.target.value)}
      onBlur={(event) => {
        if (!Number.isNaN(value)) setTyped(null);
        onBlur?.(event);
      }}
      end={<span className="pe-2">{symbolOf(currency)}</span>}
    />
  );
}

type AmountInputProps = Omit<ComponentProps<typeof MoneyInput>, "onChange"> & { onChange: (minor: number) => void };

/** Input for a required amount. An empty input gives NaN, which the schema refuses at its field. */
export function AmountInput({ onChange, ...control }: AmountInputProps) {
  return <MoneyInput {...control} onChange={(minor) => onChange(minor ?? Number.NaN)} />;
}

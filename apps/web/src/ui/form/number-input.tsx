import { type ComponentProps, useState } from "react";
import { Input } from "../primitives/input.tsx";

type NumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type"> & {
  value: number | null | undefined;
  /** Receives null for an empty input, and NaN for an invalid number, so that the schema refuses it. */
  onChange: (value: number | null) => void;
};

/** Input for a plain number (floor, order, latitude) with decimal point or comma. For money use MoneyInput. */
export function NumberInput({ value, onChange, onBlur, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const written = value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      {...props}
      value={typed ?? written}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        onChange(text.trim() === "" ? null : Number(text.trim().replace(",", ".").replace("−", "-")));
      }}
      onBlur={(event) => {
        if (!Number.isNaN(value)) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

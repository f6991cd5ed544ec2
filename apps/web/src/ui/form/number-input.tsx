import { type ComponentProps, useState } from "react";
import { Input } from "../primitives/input.tsx";

type NumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "type"> & {
  value: number | null | undefined;
  /** Null while empty; NaN for what is no number, so that the schema complains. */
  onChange: (value: number | null) => void;
};

/** A plain number (floor, order, latitude); decimal point or comma. Money has MoneyInput. */
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

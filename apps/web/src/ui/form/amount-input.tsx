import type { ComponentProps } from "react";
import { MoneyInput } from "./money-input.tsx";

type AmountInputProps = Omit<ComponentProps<typeof MoneyInput>, "onChange"> & { onChange: (minor: number) => void };

/** An amount that has to be there: what isn't typed is no number, which the schema refuses at its field. */
export function AmountInput({ onChange, ...control }: AmountInputProps) {
  return <MoneyInput {...control} onChange={(minor) => onChange(minor ?? Number.NaN)} />;
}

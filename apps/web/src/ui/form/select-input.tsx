import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "../primitives/select.tsx";

type SelectOption<Value extends string> = { value: Value; label: ReactNode; disabled?: boolean };

type SelectInputProps<Value extends string> = Omit<
  ComponentProps<typeof SelectTrigger>,
  "value" | "onChange" | "children"
> & {
  options: readonly SelectOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
  placeholder?: string;
  required?: boolean;
};

/** One of several options, as the control of a field. */
export function SelectInput<Value extends string>({
  options,
  value,
  onChange,
  placeholder,
  className,
  name: _name,
  required: _required,
  disabled,
  ...trigger
}: SelectInputProps<Value>) {
  return (
    <Select value={value ?? ""} onValueChange={(next) => next && onChange(next as Value)} disabled={disabled}>
      <SelectTrigger {...trigger} className={cn("w-full", className)}>
        <SelectValue placeholder={placeholder} />
      </SelectTrigger>
      <SelectContent position="popper">
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

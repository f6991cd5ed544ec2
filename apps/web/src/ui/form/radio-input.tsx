import { type ComponentProps, type ReactNode, useId } from "react";
import { RadioGroup, RadioGroupItem } from "../primitives/radio-group.tsx";

type RadioOption<Value extends string> = { value: Value; label: ReactNode; hint?: ReactNode; disabled?: boolean };

type RadioInputProps<Value extends string> = Omit<
  ComponentProps<typeof RadioGroup>,
  "value" | "onChange" | "onValueChange" | "children"
> & {
  options: readonly RadioOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
};

/** One of several options that are all visible, as the control of a field. */
export function RadioInput<Value extends string>({ options, value, onChange, ...props }: RadioInputProps<Value>) {
  const group = useId();
  return (
    <RadioGroup {...props} value={value ?? ""} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <label key={option.value} htmlFor={`${group}-${option.value}`} className="flex items-start gap-2.5 py-0.5">
          <RadioGroupItem
            id={`${group}-${option.value}`}
            value={option.value}
            disabled={option.disabled}
            className="mt-px"
          />
          <span>
            {option.label}
            {option.hint && <span className="block text-sm text-muted-foreground">{option.hint}</span>}
          </span>
        </label>
      ))}
    </RadioGroup>
  );
}

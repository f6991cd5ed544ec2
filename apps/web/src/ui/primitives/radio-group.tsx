import { RadioGroup as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "@/lib/cn.ts";

export type RadioOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
};

type RadioGroupProps<Value extends string> = {
  options: readonly RadioOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
  className?: string;
  name?: string;
  id?: string;
  disabled?: boolean;
  required?: boolean;
  onBlur?: () => void;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
};

export function RadioGroup<Value extends string>({
  options,
  value,
  onChange,
  className,
  ...props
}: RadioGroupProps<Value>) {
  const group = useId();
  return (
    <Radix.Root
      {...props}
      value={value ?? ""}
      onValueChange={(next) => onChange(next as Value)}
      className={cn("grid gap-2", className)}
    >
      {options.map((option) => (
        <label key={option.value} htmlFor={`${group}-${option.value}`} className="flex items-start gap-2.5 py-0.5">
          <Radix.Item
            id={`${group}-${option.value}`}
            value={option.value}
            disabled={option.disabled}
            className="relative mt-px grid size-[18px] shrink-0 place-items-center rounded-full border border-input bg-card before:absolute before:-inset-[5px] hover:border-foreground/60 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary"
          >
            <Radix.Indicator className="size-1.5 rounded-full bg-primary-foreground" />
          </Radix.Item>
          <span>
            {option.label}
            {option.hint && <span className="block text-sm text-muted-foreground">{option.hint}</span>}
          </span>
        </label>
      ))}
    </Radix.Root>
  );
}

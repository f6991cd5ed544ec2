import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ReactNode, Ref } from "react";
import { cn } from "@/lib/cn.ts";
import { controlStyle } from "./control-style.ts";
import { floatStyle } from "./overlay-style.ts";

export type SelectOption<Value extends string> = { value: Value; label: ReactNode; disabled?: boolean };

type SelectProps<Value extends string> = {
  options: readonly SelectOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
  placeholder?: string;
  id?: string;
  name?: string;
  ref?: Ref<HTMLButtonElement>;
  onBlur?: () => void;
  disabled?: boolean;
  required?: boolean;
  className?: string;
  "aria-label"?: string;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

export function Select<Value extends string>({
  options,
  value,
  onChange,
  placeholder,
  className,
  name: _name,
  required: _required,
  disabled,
  ...trigger
}: SelectProps<Value>) {
  return (
    <Radix.Root value={value ?? ""} onValueChange={(next) => next && onChange(next as Value)} disabled={disabled}>
      <Radix.Trigger
        {...trigger}
        className={cn(
          controlStyle,
          "flex h-10 items-center justify-between gap-2 ps-3 pe-2.5 text-start data-placeholder:text-faint-foreground lg:h-9 [&>span]:truncate",
          className,
        )}
      >
        <Radix.Value placeholder={placeholder} />
        <Radix.Icon>
          <ChevronDown className="size-4 text-muted-foreground" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className={cn(
            floatStyle,
            "z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden p-1",
          )}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className="relative flex min-h-8 items-center rounded-sm py-1.5 ps-2 pe-8 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="absolute end-2">
                  <Check className="size-4 text-brass-ink" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

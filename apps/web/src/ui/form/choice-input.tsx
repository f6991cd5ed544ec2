import type { LucideIcon } from "lucide-react";
import { ToggleGroup as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Switch } from "@/ui/primitives/switch.tsx";

type Controlled = "value" | "onChange" | "checked" | "onCheckedChange";

type CheckboxInputProps = Omit<ComponentProps<typeof Checkbox>, Controlled> & {
  value: boolean | "indeterminate" | undefined;
  onChange: (value: boolean) => void;
};

/** A checkbox as the control of a field. */
export function CheckboxInput({ value, onChange, ...props }: CheckboxInputProps) {
  return <Checkbox {...props} checked={value ?? false} onCheckedChange={(checked) => onChange(checked === true)} />;
}

type SwitchInputProps = Omit<ComponentProps<typeof Switch>, Controlled> & {
  value: boolean | undefined;
  onChange: (value: boolean) => void;
};

/** A switch as the control of a field. */
export function SwitchInput({ value, onChange, ...props }: SwitchInputProps) {
  return <Switch {...props} checked={value ?? false} onCheckedChange={onChange} />;
}

type SegmentOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  icon?: LucideIcon;
  /** Shows only the icon; the label is its accessible name. */
  iconOnly?: boolean;
  disabled?: boolean;
};

type SegmentedProps<Value extends string> = {
  options: readonly SegmentOption<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
  className?: string;
  id?: string;
  name?: string;
  onBlur?: () => void;
  required?: boolean;
  disabled?: boolean;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
};

/** Two to five choices side by side. */
export function Segmented<Value extends string>({
  options,
  value,
  onChange,
  className,
  name: _name,
  required: _required,
  "aria-invalid": _invalid,
  ...props
}: SegmentedProps<Value>) {
  return (
    <Radix.Root
      {...props}
      type="single"
      value={value ?? ""}
      onValueChange={(next) => next && onChange(next as Value)}
      className={cn(
        "inline-flex h-10 max-w-full items-stretch gap-0.5 rounded-md border border-border bg-sunken p-0.5 lg:h-9",
        className,
      )}
    >
      {options.map(({ value: own, label, icon: Icon, iconOnly, disabled }) => (
        <Radix.Item
          key={own}
          value={own}
          disabled={disabled}
          aria-label={iconOnly && typeof label === "string" ? label : undefined}
          title={iconOnly && typeof label === "string" ? label : undefined}
          className="flex min-w-8 flex-auto items-center justify-center gap-1.5 rounded-[5px] px-2.5 text-sm font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:outline-offset-0 disabled:opacity-50 data-[state=on]:bg-card data-[state=on]:text-foreground data-[state=on]:shadow-card dark:data-[state=on]:bg-popover"
        >
          {Icon && <Icon className="size-4" aria-hidden />}
          {!iconOnly && label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}

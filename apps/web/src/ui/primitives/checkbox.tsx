import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

type CheckboxProps = Omit<ComponentProps<typeof Radix.Root>, "value" | "onChange" | "checked" | "onCheckedChange"> & {
  value: boolean | "indeterminate" | undefined;
  onChange: (value: boolean) => void;
};

export function Checkbox({ className, value, onChange, ...props }: CheckboxProps) {
  return (
    <Radix.Root
      checked={value ?? false}
      onCheckedChange={(checked) => onChange(checked === true)}
      className={cn(
        "relative grid size-[18px] shrink-0 place-items-center rounded-sm border border-input bg-card transition-colors",
        "before:absolute before:-inset-[5px] before:content-[''] hover:border-foreground/60 disabled:opacity-50 aria-invalid:border-danger",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary",
        className,
      )}
      {...props}
    >
      <Radix.Indicator className="text-primary-foreground">
        {value === "indeterminate" ? (
          <Minus className="size-3.5" strokeWidth={3} />
        ) : (
          <Check className="size-3.5" strokeWidth={3} />
        )}
      </Radix.Indicator>
    </Radix.Root>
  );
}

import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export function Checkbox({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="checkbox"
      className={cn(
        "peer group/checkbox relative grid size-[18px] shrink-0 place-items-center rounded-sm border border-input bg-card transition-colors",
        "before:absolute before:-inset-[5px] before:content-[''] hover:border-foreground/60 disabled:opacity-50 aria-invalid:border-danger",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary",
        className,
      )}
      {...props}
    >
      <Radix.Indicator data-slot="checkbox-indicator" className="text-primary-foreground">
        <Check className="size-3.5 group-data-[state=indeterminate]/checkbox:hidden" strokeWidth={3} />
        <Minus className="hidden size-3.5 group-data-[state=indeterminate]/checkbox:block" strokeWidth={3} />
      </Radix.Indicator>
    </Radix.Root>
  );
}

import { Switch as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

type SwitchProps = Omit<ComponentProps<typeof Radix.Root>, "value" | "onChange" | "checked" | "onCheckedChange"> & {
  value: boolean | undefined;
  onChange: (value: boolean) => void;
};

/** For a choice that takes effect at once, or a plain yes or no in a form. */
export function Switch({ className, value, onChange, ...props }: SwitchProps) {
  return (
    <Radix.Root
      checked={value ?? false}
      onCheckedChange={onChange}
      className={cn(
        "h-6 w-10 shrink-0 rounded-full border border-input bg-sunken p-0.5 transition-colors hover:border-foreground/60 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="block size-[18px] rounded-full bg-input shadow-card transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-primary-foreground rtl:data-[state=checked]:-translate-x-4" />
    </Radix.Root>
  );
}

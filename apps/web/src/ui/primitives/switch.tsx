import { Switch as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

type SwitchProps = ComponentProps<typeof Radix.Root> & { size?: "sm" | "default" };

/** For a choice that takes effect at once, or a plain yes or no in a form. */
export function Switch({ className, size = "default", ...props }: SwitchProps) {
  return (
    <Radix.Root
      data-slot="switch"
      data-size={size}
      className={cn(
        "peer group/switch h-6 w-10 shrink-0 rounded-full border border-input bg-sunken p-0.5 transition-colors hover:border-foreground/60 disabled:opacity-50 data-[size=sm]:h-5 data-[size=sm]:w-8 data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <Radix.Thumb
        data-slot="switch-thumb"
        className="block size-[18px] rounded-full bg-input shadow-card transition-transform group-data-[size=sm]/switch:size-[14px] data-[state=checked]:translate-x-4 data-[state=checked]:bg-primary-foreground group-data-[size=sm]/switch:data-[state=checked]:translate-x-3 rtl:data-[state=checked]:-translate-x-4 rtl:group-data-[size=sm]/switch:data-[state=checked]:-translate-x-3"
      />
    </Radix.Root>
  );
}

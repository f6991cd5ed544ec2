import { Progress as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

/** `value` from 0 to 100, or null while the duration is unknown. */
export function Progress({ className, value = null, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="progress"
      value={value}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-hover", className)}
      {...props}
    >
      <Radix.Indicator
        data-slot="progress-indicator"
        className={cn("block h-full rounded-full bg-brass transition-[width]", value === null && "w-1/3 animate-pulse")}
        style={value === null ? undefined : { width: `${value}%` }}
      />
    </Radix.Root>
  );
}

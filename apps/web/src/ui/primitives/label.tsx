import { Label as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export function Label({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="label"
      className={cn(
        "text-sm font-medium text-foreground select-none has-[[data-slot]]:flex has-[[data-slot]]:items-center has-[[data-slot]]:gap-2",
        className,
      )}
      {...props}
    />
  );
}

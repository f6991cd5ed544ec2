import { Tooltip as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export function TooltipProvider({ delayDuration = 0, ...props }: ComponentProps<typeof Radix.Provider>) {
  return <Radix.Provider delayDuration={delayDuration} {...props} />;
}

export function Tooltip(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="tooltip" {...props} />;
}

export function TooltipTrigger({ onFocus, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      data-slot="tooltip-trigger"
      onFocus={(event) => {
        // Focus that a closing dialog moves here after a click opens no tooltip.
        if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
        onFocus?.(event);
      }}
      {...props}
    />
  );
}

export function TooltipContent({ className, sideOffset = 6, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="tooltip-content"
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          "z-60 max-w-64 rounded-sm bg-foreground px-2 py-1 text-xs font-medium text-background shadow-float data-[state=delayed-open]:animate-in data-[state=delayed-open]:fade-in-0 data-[state=delayed-open]:duration-100",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

import { Popover as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { floatOffsets, floatStyle } from "../styles.ts";

export function Popover(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="popover" {...props} />;
}

export function PopoverTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger data-slot="popover-trigger" {...props} />;
}

export function PopoverContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="popover-content"
        {...floatOffsets}
        className={cn(floatStyle, "z-50 w-72 p-4 outline-none", className)}
        {...props}
      />
    </Radix.Portal>
  );
}

export function PopoverAnchor(props: ComponentProps<typeof Radix.Anchor>) {
  return <Radix.Anchor data-slot="popover-anchor" {...props} />;
}

export function PopoverHeader({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="popover-header" className={cn("grid gap-1", className)} {...props} />;
}

export function PopoverTitle({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="popover-title" className={cn("font-medium", className)} {...props} />;
}

export function PopoverDescription({ className, ...props }: ComponentProps<"p">) {
  return <p data-slot="popover-description" className={cn("text-muted-foreground", className)} {...props} />;
}

import { Popover as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { floatOffsets, floatStyle } from "./overlay-style.ts";

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;
export const PopoverAnchor = Radix.Anchor;
export const PopoverClose = Radix.Close;

export function PopoverContent({ className, align = "start", ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align={align}
        {...floatOffsets}
        className={cn(floatStyle, "z-50 w-72 p-4 outline-none", className)}
        {...props}
      />
    </Radix.Portal>
  );
}

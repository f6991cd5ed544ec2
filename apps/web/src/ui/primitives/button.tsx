import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none",
    "transition-[background-color,border-color,color,box-shadow] active:translate-y-px",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50",
    "[&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        default:
          "bg-primary text-primary-foreground shadow-[inset_0_1px_0_rgb(255_255_255/0.28),0_1px_2px_rgb(var(--shadow-tint)/0.18)] hover:bg-primary-hover",
        destructive: "bg-destructive text-destructive-foreground hover:brightness-95",
        outline: "border border-border bg-card text-foreground shadow-card hover:border-input hover:bg-popover",
        secondary: "bg-secondary text-secondary-foreground hover:brightness-95",
        ghost:
          "text-muted-foreground hover:bg-hover hover:text-foreground aria-expanded:bg-hover aria-expanded:text-foreground",
        "ghost-destructive": "text-danger hover:bg-danger-soft",
        link: "h-auto! rounded-sm px-0! text-brass-ink underline decoration-1 underline-offset-4 hover:decoration-2",
      },
      size: {
        default: "h-9 px-4 text-base",
        xs: "h-6 gap-1 px-2 text-xs",
        sm: "h-8 px-3 text-sm",
        lg: "h-11 px-5 text-base",
        icon: "size-9",
        "icon-xs": "size-6",
        "icon-sm": "size-8",
        "icon-lg": "size-11",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

/** For a button that changes something on the server use ActionButton. */
export function Button({ className, variant = "default", size = "default", asChild = false, ...props }: ButtonProps) {
  const look = {
    "data-slot": "button",
    "data-variant": variant,
    "data-size": size,
    className: cn(buttonVariants({ variant, size }), className),
  };
  return asChild ? <Slot.Root {...look} {...props} /> : <button type="button" {...look} {...props} />;
}

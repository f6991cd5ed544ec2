import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

export const badgeVariants = cva(
  "inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap [&>svg]:size-3",
  {
    variants: {
      variant: {
        default: "bg-brass-soft text-brass-ink",
        secondary: "bg-hover text-muted-foreground",
        destructive: "bg-danger-soft text-danger",
        outline: "border border-border text-muted-foreground",
        ghost: "text-muted-foreground [a&]:hover:bg-hover",
        link: "text-brass-ink underline-offset-4 [a&]:hover:underline",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

type BadgeProps = ComponentProps<"span"> & VariantProps<typeof badgeVariants> & { asChild?: boolean };

/** A label that isn't a state: a role, a count, a kind. For states use StatusChip. */
export function Badge({ className, variant = "default", asChild = false, ...props }: BadgeProps) {
  const Part = asChild ? Slot.Root : "span";
  return (
    <Part data-slot="badge" data-variant={variant} className={cn(badgeVariants({ variant }), className)} {...props} />
  );
}

import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

const badge = cva("inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap", {
  variants: {
    variant: {
      neutral: "bg-hover text-muted-foreground",
      outline: "border border-border text-muted-foreground",
      brass: "bg-brass-soft text-brass-ink",
    },
  },
  defaultVariants: { variant: "neutral" },
});

/** A label that isn't a state: a role, a count, a kind. For states use StatusChip. */
export function Badge({ className, variant, ...props }: ComponentProps<"span"> & VariantProps<typeof badge>) {
  return <span className={cn(badge({ variant }), className)} {...props} />;
}

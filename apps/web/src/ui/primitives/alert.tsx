import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

const alertVariants = cva(
  [
    "grid w-full grid-cols-[0_minmax(0,1fr)] items-start rounded-md px-3.5 py-3 outline-offset-2",
    "has-[>svg]:grid-cols-[auto_minmax(0,1fr)] has-[>svg]:gap-x-3 [&>svg]:mt-0.5 [&>svg]:size-4",
  ],
  {
    variants: {
      variant: {
        default: "border bg-card text-card-foreground",
        destructive: "bg-danger-soft text-danger",
        warning: "bg-expired-soft text-expired",
        info: "bg-checked-in-soft text-checked-in",
        success: "bg-vacant-soft text-vacant",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

/** A message that stays on the page. */
export function Alert({ className, variant, ...props }: ComponentProps<"div"> & VariantProps<typeof alertVariants>) {
  return <div data-slot="alert" role="alert" className={cn(alertVariants({ variant }), className)} {...props} />;
}

export function AlertTitle({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="alert-title" className={cn("col-start-2 font-medium", className)} {...props} />;
}

export function AlertDescription({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="alert-description" className={cn("col-start-2 text-foreground", className)} {...props} />;
}

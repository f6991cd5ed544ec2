import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

/** Bare table parts, for short tables inside cards. For lists use DataTable. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return <table className={cn("w-full border-collapse text-start", className)} {...props} />;
}

export function Th({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cn(
        "h-9 px-3 text-start text-xs font-medium whitespace-nowrap text-muted-foreground first:ps-5 last:pe-5",
        className,
      )}
      {...props}
    />
  );
}

export function Tr({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("border-t", className)} {...props} />;
}

export function Td({ className, ...props }: ComponentProps<"td">) {
  return <td className={cn("h-11 px-3 py-2 align-middle first:ps-5 last:pe-5", className)} {...props} />;
}

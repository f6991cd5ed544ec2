import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

/** The row of buttons that ends a form, the primary one last; on phones full width. */
export function FormActions({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("mt-1 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)}>{children}</div>;
}

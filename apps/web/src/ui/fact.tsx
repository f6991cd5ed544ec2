import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

/** A labelled value inside a `dl`. */
export function Fact({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={cn("min-w-0", className)}>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="break-words">{children || "–"}</dd>
    </div>
  );
}

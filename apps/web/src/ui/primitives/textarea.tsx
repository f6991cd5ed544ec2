import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { controlStyle } from "../styles.ts";

export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      rows={rows}
      className={cn(controlStyle, "field-sizing-content min-h-20 px-3 py-2 [unicode-bidi:plaintext]", className)}
      {...props}
    />
  );
}

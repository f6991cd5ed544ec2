import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";
import { controlStyle } from "../styles.ts";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input data-slot="input" className={cn(controlStyle, "h-10 px-3 lg:h-9", className)} {...props} />;
}

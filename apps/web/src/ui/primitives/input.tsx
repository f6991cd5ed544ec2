import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { controlStyle } from "./control-style.ts";

export type InputProps = ComponentProps<"input"> & {
  icon?: LucideIcon;
  /** A unit or a button inside the end of the input. */
  end?: ReactNode;
};

export function Input({ className, icon: Icon, end, ...props }: InputProps) {
  const input = (
    <input className={cn(controlStyle, "h-10 px-3 lg:h-9", Icon && "ps-9", end && "pe-10", className)} {...props} />
  );
  if (!Icon && !end) return input;
  return (
    <div className="relative">
      {Icon && (
        <Icon
          aria-hidden
          className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-faint-foreground"
        />
      )}
      {input}
      {end && <div className="absolute inset-y-0 end-1 flex items-center text-sm text-muted-foreground">{end}</div>}
    </div>
  );
}

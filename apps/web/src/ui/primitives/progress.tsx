import { Progress as Radix } from "radix-ui";
import { cn } from "@/lib/cn.ts";

/** `value` from 0 to 100, or null while the duration is unknown. */
export function Progress({ value, label, className }: { value: number | null; label: string; className?: string }) {
  return (
    <Radix.Root
      value={value}
      aria-label={label}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-hover", className)}
    >
      <Radix.Indicator
        className={cn("block h-full rounded-full bg-brass transition-[width]", value === null && "w-1/3 animate-pulse")}
        style={value === null ? undefined : { width: `${value}%` }}
      />
    </Radix.Root>
  );
}

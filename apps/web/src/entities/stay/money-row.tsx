import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { useHotel } from "@/lib/session.ts";

type MoneyRowProps = { label: ReactNode; minor: number | undefined; strong?: boolean; className?: string };

/** A labelled amount; `strong` for what a column adds up to. */
export function MoneyRow({ label, minor, strong, className }: MoneyRowProps) {
  const { currency } = useHotel();
  return (
    <div
      className={cn("flex items-baseline justify-between gap-4", strong && "border-t pt-2.5 font-semibold", className)}
    >
      <dt className={cn(!strong && "text-muted-foreground")}>{label}</dt>
      <dd className={cn("shrink-0", strong && "text-lg")}>{formatMoney(minor, currency)}</dd>
    </div>
  );
}

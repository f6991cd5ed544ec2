import type { OrderType } from "@innkey/shared/enums";
import { ArrowLeftRight, BedDouble, CalendarPlus, HandCoins, type LucideIcon, PiggyBank, Undo2 } from "lucide-react";

export const ORDER_ICONS: Record<OrderType, LucideIcon> = {
  room: BedDouble,
  renewal: CalendarPlus,
  exchange: ArrowLeftRight,
  deposit: PiggyBank,
  payment: HandCoins,
  refund: Undo2,
};

/** An order's amount as it reads in a list, in minor units: what is given back is negative. */
export function signedAmount({ type, amountMinor }: { type: OrderType; amountMinor: number }): number {
  return type === "refund" ? -amountMinor : amountMinor;
}

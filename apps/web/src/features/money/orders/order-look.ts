import type { OrderType } from "@innkey/shared/enums";
import {
  Archive,
  ArrowLeftRight,
  BanknoteArrowDown,
  BanknoteArrowUp,
  BedDouble,
  CalendarPlus,
  HandCoins,
  type LucideIcon,
  PiggyBank,
  ReceiptText,
  Undo2,
} from "lucide-react";

export const ORDER_ICONS: Record<OrderType, LucideIcon> = {
  room: BedDouble,
  renewal: CalendarPlus,
  exchange: ArrowLeftRight,
  deposit: PiggyBank,
  payment: HandCoins,
  refund: Undo2,
  recharge: BanknoteArrowUp,
  withdrawal: BanknoteArrowDown,
  deposit_used: ReceiptText,
  deposit_kept: Archive,
};

/** An order's amount as it reads in a list, in minor units: what is given back or taken out is negative. */
export function signedAmount({ type, amountMinor }: { type: OrderType; amountMinor: number }): number {
  return type === "refund" || type === "withdrawal" ? -amountMinor : amountMinor;
}

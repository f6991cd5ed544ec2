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

/** Returns an order's amount in minor units; refunds and withdrawals are negative. */
export function signedAmount({ type, amountMinor }: { type: OrderType; amountMinor: number }): number {
  return type === "refund" || type === "withdrawal" ? -amountMinor : amountMinor;
}

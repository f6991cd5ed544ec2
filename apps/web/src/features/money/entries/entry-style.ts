import type { FolioEntryType } from "@innkey/shared/enums";
import {
  Archive,
  ArrowLeftRight,
  BanknoteArrowDown,
  BanknoteArrowUp,
  BanknoteX,
  BedDouble,
  CalendarPlus,
  CircleX,
  Coffee,
  HandCoins,
  type LucideIcon,
  PiggyBank,
  ReceiptText,
  Redo2,
  ShoppingBag,
  Undo2,
} from "lucide-react";
import { t } from "@/lib/i18n.ts";

export const ENTRY_ICONS: Record<FolioEntryType, LucideIcon> = {
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
  extra: ShoppingBag,
  breakfast: Coffee,
  cancellation: CircleX,
  withdrawal_undone: BanknoteX,
  reversal: Redo2,
};

/** Returns what an entry is called: an extra by what was charged, others by their kind. */
export function entryTitle({ type, note }: { type: FolioEntryType; note: string }): string {
  return (type === "extra" && note) || t(`folio.typeOf.${type}`);
}

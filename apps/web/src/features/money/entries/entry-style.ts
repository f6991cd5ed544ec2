import type { FolioEntryType } from "@innkey/shared/enums";
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
};

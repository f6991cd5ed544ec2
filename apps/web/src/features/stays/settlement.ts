import type { StayDetail } from "@innkey/shared/schemas/stays/stays";

interface SettlementChoice {
  refundUnusedMinor: number;
  useDeposit: boolean;
  /** Part of the deposit that is kept as income. */
  keepMinor: number;
  refundDeposit: boolean;
}

export interface Settlement {
  /** Amount owed after unused nights are refunded and the deposit is used. */
  dueMinor: number;
  depositUsedMinor: number;
  /** Rest of the deposit, to be kept or refunded. */
  depositLeftMinor: number;
  depositBackMinor: number;
  /** Amount paid beyond what is owed. */
  creditMinor: number;
}

/**
 * Returns the payments at check-out in minor units, with the same rules as the server: unused nights are credited
 * first, then the deposit pays the debt. Of the rest of the deposit, the kept part is income and the remainder is
 * refunded.
 */
export function settlement(money: StayDetail["money"], choice: SettlementChoice): Settlement {
  const balanceMinor = money.owedMinor - amountOrZero(choice.refundUnusedMinor);
  const owedMinor = Math.max(0, balanceMinor);
  const depositUsedMinor = choice.useDeposit ? Math.min(owedMinor, money.depositHeldMinor) : 0;
  const depositLeftMinor = money.depositHeldMinor - depositUsedMinor;
  const keptMinor = Math.min(amountOrZero(choice.keepMinor), depositLeftMinor);
  return {
    dueMinor: owedMinor - depositUsedMinor,
    depositUsedMinor,
    depositLeftMinor,
    depositBackMinor: choice.refundDeposit ? depositLeftMinor - keptMinor : 0,
    creditMinor: Math.max(0, -balanceMinor),
  };
}

/** Treats an amount that is not a number as zero. */
const amountOrZero = (minor: number): number => (Number.isNaN(minor) ? 0 : minor);

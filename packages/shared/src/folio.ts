import type { FolioEntryType, PaymentChannel } from "./enums.ts";

/**
 * Rules of a folio that the server carries out and the console shows beforehand. Amounts are minor units of the hotel's
 * currency.
 */

const NEGATIVE: readonly FolioEntryType[] = ["refund", "withdrawal", "cancellation", "reversal"];

/**
 * Returns an entry's amount as lists show it: what takes something back, and withdrawals, are negative. What takes a
 * refund back has a negative amount, and so is positive.
 */
export function signedMinor({ type, amountMinor }: { type: FolioEntryType; amountMinor: number }): number {
  return NEGATIVE.includes(type) ? -amountMinor : amountMinor;
}

/**
 * Returns the amount to pay (positive) or refund (negative) if a change of a stay is settled immediately. A more
 * expensive room or a longer stay is paid; for a cheaper one only what was already paid is refunded.
 */
export function movedMinor(differenceMinor: number, owedMinor: number): number {
  return differenceMinor > 0 ? differenceMinor : Math.min(0, owedMinor + differenceMinor);
}

interface Balances {
  /** Positive: the guest owes; negative: the hotel owes the guest. */
  owedMinor: number;
  depositHeldMinor: number;
}

interface CheckOutChoice {
  refundUnusedMinor: number;
  /** How the debt is paid now; null: it is not. */
  channel: PaymentChannel | null;
  /** false: the deposit is not used if the debt is paid now. */
  useDeposit: boolean;
  /** Part of the deposit that the hotel keeps as income. */
  keepDepositMinor: number;
  refundDeposit: boolean;
}

export interface Settlement {
  /** What the guest owes after unused nights are refunded and the deposit is used. */
  dueMinor: number;
  depositUsedMinor: number;
  /** Rest of the deposit, to be kept or refunded. */
  depositLeftMinor: number;
  depositKeptMinor: number;
  depositRefundMinor: number;
  /** What the guest paid beyond what is owed. */
  creditMinor: number;
}

/**
 * Settles a stay's folio at check-out. Unused nights are refunded first, then the deposit pays the debt, unless that is
 * paid in full now. Of the rest of the deposit, the kept part becomes income and the remainder is refunded. So no
 * deposit is refunded while the guest owes money.
 */
export function settleAtCheckOut({ owedMinor, depositHeldMinor }: Balances, choice: CheckOutChoice): Settlement {
  const balanceMinor = owedMinor - choice.refundUnusedMinor;
  const debtMinor = Math.max(0, balanceMinor);
  const isPaidInFull = choice.channel !== null && !choice.useDeposit;
  const depositUsedMinor = isPaidInFull ? 0 : Math.min(debtMinor, depositHeldMinor);
  const depositLeftMinor = depositHeldMinor - depositUsedMinor;
  const depositKeptMinor = Math.min(choice.keepDepositMinor, depositLeftMinor);
  return {
    dueMinor: debtMinor - depositUsedMinor,
    depositUsedMinor,
    depositLeftMinor,
    depositKeptMinor,
    depositRefundMinor: choice.refundDeposit ? depositLeftMinor - depositKeptMinor : 0,
    creditMinor: Math.max(0, -balanceMinor),
  };
}

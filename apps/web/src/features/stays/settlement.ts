import type { StayDetail } from "@innkey/shared/schemas/stays";

interface Choice {
  refundUnusedMinor: number;
  useDeposit: boolean;
  /** of the deposit, kept as income */
  keepMinor: number;
  refundDeposit: boolean;
}

export interface Settlement {
  /** owed once unused nights are struck off and the deposit is used */
  dueMinor: number;
  depositUsedMinor: number;
  /** what is left of the deposit to keep or give back */
  depositLeftMinor: number;
  depositBackMinor: number;
  /** paid beyond what is owed */
  creditMinor: number;
}

/**
 * What changes hands at check-out, in minor units, as the server does it: unused nights are struck off first, then the deposit
 * settles what is owed; of what is left of it, what is kept is income and the rest goes back.
 */
export function settlement(money: StayDetail["money"], choice: Choice): Settlement {
  const balanceMinor = money.owedMinor - whole(choice.refundUnusedMinor);
  const owedMinor = Math.max(0, balanceMinor);
  const depositUsedMinor = choice.useDeposit ? Math.min(owedMinor, money.depositHeldMinor) : 0;
  const depositLeftMinor = money.depositHeldMinor - depositUsedMinor;
  const keptMinor = Math.min(whole(choice.keepMinor), depositLeftMinor);
  return {
    dueMinor: owedMinor - depositUsedMinor,
    depositUsedMinor,
    depositLeftMinor,
    depositBackMinor: choice.refundDeposit ? depositLeftMinor - keptMinor : 0,
    creditMinor: Math.max(0, -balanceMinor),
  };
}

/** An amount that can't be read counts as none. */
const whole = (minor: number): number => (Number.isNaN(minor) ? 0 : minor);

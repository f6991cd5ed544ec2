import type { StayDetail } from "@innkey/shared/schemas/stays";

/**
 * What changes hands at check-out, in minor units: unused nights are struck off first, then what is still owed is due; what was
 * paid too much goes back, and the deposit on its own line.
 */
export function settlement(
  money: StayDetail["money"],
  refundUnusedMinor: number,
  refundDeposit: boolean,
): { dueMinor: number; backMinor: number } {
  const owedMinor = money.owedMinor - (Number.isNaN(refundUnusedMinor) ? 0 : refundUnusedMinor);
  const depositMinor = refundDeposit ? money.depositHeldMinor : 0;
  return { dueMinor: Math.max(0, owedMinor), backMinor: Math.max(0, -owedMinor) + depositMinor };
}

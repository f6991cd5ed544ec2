import type { PaymentChannel } from "@innkey/shared/enums";
import { chargeEntries, type Entry, paymentEntries } from "./ledger.ts";

/** A dearer room or longer stay is charged, and paid where a channel is given; of a cheaper one only what was paid leaves again. */
export function exchangeEntries(differenceMinor: number, owedMinor: number, channel: PaymentChannel | null): Entry[] {
  const charge = chargeEntries(differenceMinor, null);
  if (!channel) return charge;
  return [...charge, ...paymentEntries(paidBy(differenceMinor, owedMinor), channel)];
}

/** What changes hands with an exchange that is settled at once; negative leaves the house. */
export function paidBy(differenceMinor: number, owedMinor: number): number {
  return differenceMinor > 0 ? differenceMinor : Math.min(0, owedMinor + differenceMinor);
}

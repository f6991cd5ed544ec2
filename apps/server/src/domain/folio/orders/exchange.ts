import type { PaymentChannel } from "@innkey/shared/enums";
import { movedMinor } from "@innkey/shared/money";
import { chargeEntries, paymentEntries } from "./ledger.ts";
import type { Entry } from "./order-draft.ts";

/**
 * Returns the entries for a change of room or period. A higher price is charged, and paid if a channel is given. For a
 * lower price, only what was already paid is refunded.
 */
export function exchangeEntries(differenceMinor: number, owedMinor: number, channel: PaymentChannel | null): Entry[] {
  const charge = chargeEntries(differenceMinor, null);
  if (!channel) return charge;
  return [...charge, ...paymentEntries(movedMinor(differenceMinor, owedMinor), channel)];
}

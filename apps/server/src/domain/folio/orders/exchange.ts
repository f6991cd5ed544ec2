import type { PaymentChannel } from "@innkey/shared/enums";
import { movedMinor } from "@innkey/shared/money";
import { chargeEntries, paymentEntries } from "./ledger.ts";
import type { Entry } from "./order-draft.ts";

/** A dearer room or longer stay is charged, and paid where a channel is given; of a cheaper one only what was paid leaves again. */
export function exchangeEntries(differenceMinor: number, owedMinor: number, channel: PaymentChannel | null): Entry[] {
  const charge = chargeEntries(differenceMinor, null);
  if (!channel) return charge;
  return [...charge, ...paymentEntries(movedMinor(differenceMinor, owedMinor), channel)];
}

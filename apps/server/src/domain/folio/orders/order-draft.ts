import type { OrderType, PaymentChannel } from "@innkey/shared/enums";
import type { QuoteLine } from "@innkey/shared/quote";
import type { LedgerAccount } from "../../../adapters/postgres/generated/enums.ts";

/**
 * Double entry, amounts in minor units. A positive entry is a debit. `receivable` is what the guest owes, `revenue` what
 * was earned (negative), `deposits` what is held for guests (negative), the channels what the hotel has taken in,
 * `owner_funds` what the house itself put in (negative) and took out.
 */
export interface Entry {
  account: LedgerAccount;
  amountMinor: number;
}

export interface OrderDraft {
  /** null: the house's own money */
  stayId: number | null;
  type: OrderType;
  /** what the act is about; for an exchange the difference, which may be negative */
  amountMinor: number;
  channel?: PaymentChannel | null;
  refundsOrderId?: number;
  note?: string;
  /** where a withdrawal goes, masked */
  destination?: string;
  lines?: readonly (QuoteLine & { occupancyId: number })[];
  entries: readonly Entry[];
}

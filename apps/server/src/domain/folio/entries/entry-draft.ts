import type { FolioEntryType, PaymentChannel } from "@innkey/shared/enums";
import type { QuoteLine } from "@innkey/shared/quote";
import type { LedgerAccount } from "../../../adapters/postgres/generated/enums.ts";

/**
 * Double entry, amounts in minor units; a positive entry is a debit. `receivable` is what the guest owes, `revenue`
 * what was earned (negative), `deposits` what guests deposited (negative). The payment channels are the money received,
 * and `owner_funds` the hotel's own deposits (negative) and withdrawals.
 */
export interface LedgerEntry {
  account: LedgerAccount;
  amountMinor: number;
}

export interface EntryDraft {
  /** null for the hotel's own money */
  stayId: number | null;
  type: FolioEntryType;
  /** Amount of the entry; for an exchange the price difference, which may be negative. */
  amountMinor: number;
  channel?: PaymentChannel | null;
  refundsEntryId?: number;
  note?: string;
  /** Masked account that a withdrawal goes to. */
  destination?: string;
  lines?: readonly (QuoteLine & { occupancyId: number })[];
  entries: readonly LedgerEntry[];
}

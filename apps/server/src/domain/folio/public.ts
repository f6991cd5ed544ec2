// What other domains may use of this one; they import nothing else from it.

export { entryListQuery } from "./entries/entries.queries.ts";
export { chargeEntries, depositEntries, lastEntryOf, postEntry, postExchange } from "./entries/ledger.ts";
export { mayReturnDeposits, payoutChannel } from "./entries/payout.ts";
export {
  keepDeposits,
  readAccount,
  refundCharges,
  returnCredit,
  returnDeposits,
  settle,
  settleFromDeposits,
} from "./entries/stay-account.ts";

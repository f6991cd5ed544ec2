// What other domains may use of this one; they import nothing else from it.

export { entryListQuery, type RefundState, refundStateOf } from "./entries/entries.service.ts";
export {
  chargeEntries,
  depositEntries,
  lastEntryOf,
  mayReturnDeposits,
  payoutChannel,
  postEntry,
  postExchange,
} from "./entries/ledger.ts";
export {
  keepDeposits,
  readAccount,
  refundCharges,
  returnCredit,
  returnDeposits,
  settle,
  settleFromDeposits,
} from "./entries/stay-account.ts";

// Other domains may import only this file of the domain.
export { cancelBreakfasts, chargeBreakfasts } from "./entries/charges.service.ts";
export { entryListQuery } from "./entries/entries.service.ts";
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
  entriesSince,
  previewCheckInReversal,
  previewReversal,
  reverseCheckIn,
  reverseEnd,
} from "./entries/reversals.ts";
export {
  keepDeposits,
  readAccount,
  refundAll,
  refundRoom,
  returnCredit,
  returnDeposits,
  settle,
  settleFromDeposits,
} from "./entries/stay-account.ts";

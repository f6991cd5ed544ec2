// What other domains may use of this one; they import nothing else from it.
export { chargeEntries, depositEntries, lastOrderOf, postExchange, postOrder } from "./orders/ledger.ts";
export { orderListQuery } from "./orders/orders.queries.ts";
export { mayReturnDeposits, payoutChannel } from "./orders/payout.ts";
export {
  keepDeposits,
  readAccount,
  refundCharges,
  returnCredit,
  returnDeposits,
  settle,
  settleFromDeposits,
} from "./orders/stay-account.ts";

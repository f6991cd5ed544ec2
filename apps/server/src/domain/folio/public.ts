// What other domains may use of this one; they import nothing else from it.
export { exchangeEntries } from "./orders/exchange.ts";
export { chargeEntries, depositEntries, lastOrderOf, postOrder } from "./orders/ledger.ts";
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

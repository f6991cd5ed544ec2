import * as b from "@innkey/shared/schemas/folio/balance";
import * as s from "@innkey/shared/schemas/folio/orders";
import * as balance from "../../../domain/folio/balance/balance.service.ts";
import * as queries from "../../../domain/folio/orders/orders.queries.ts";
import * as orders from "../../../domain/folio/orders/orders.service.ts";
import { router, signedIn } from "../trpc.ts";

export const ordersRouter = router({
  list: signedIn
    .input(s.orderListInput)
    .output(s.orderListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  pay: signedIn
    .input(s.payInput)
    .output(s.orderDone)
    .mutation(({ ctx, input }) => orders.pay(ctx.scope, input)),
  refund: signedIn
    .input(s.refundInput)
    .output(s.orderDone)
    .mutation(({ ctx, input }) => orders.refund(ctx.scope, input)),
  payOutCredit: signedIn
    .input(s.payOutCreditInput)
    .output(s.orderDone)
    .mutation(({ ctx, input }) => orders.payOutCredit(ctx.scope, input)),
  recharge: signedIn
    .input(b.rechargeInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.recharge(ctx.scope, input)),
  withdraw: signedIn
    .input(b.withdrawInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.withdraw(ctx.scope, input)),
});

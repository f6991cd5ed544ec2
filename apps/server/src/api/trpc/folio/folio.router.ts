import * as b from "@innkey/shared/schemas/folio/balance";
import * as s from "@innkey/shared/schemas/folio/entries";
import * as balance from "../../../domain/folio/balance/balance.service.ts";
import * as queries from "../../../domain/folio/entries/entries.queries.ts";
import * as folio from "../../../domain/folio/entries/entries.service.ts";
import { router, withPermission } from "../trpc.ts";

export const folioRouter = router({
  list: withPermission("folio.view")
    .input(s.entryListInput)
    .output(s.entryListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  pay: withPermission("stays.manage", "takePayment")
    .input(s.payInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.pay(ctx.scope, input)),
  refund: withPermission("folio.refund", "refund")
    .input(s.refundInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.refund(ctx.scope, input)),
  payOutCredit: withPermission("folio.refund", "payOutCredit")
    .input(s.payOutCreditInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.payOutCredit(ctx.scope, input)),
  recharge: withPermission("balance.manage", "recharge")
    .input(b.rechargeInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.recharge(ctx.scope, input)),
  withdraw: withPermission("balance.manage", "withdraw")
    .input(b.withdrawInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.withdraw(ctx.scope, input)),
});

import * as balanceSchemas from "@innkey/shared/schemas/folio/balance";
import * as entrySchemas from "@innkey/shared/schemas/folio/entries";
import * as balanceQueries from "../../domain/folio/balance/balance.queries.ts";
import * as balance from "../../domain/folio/balance/balance.service.ts";
import * as entryQueries from "../../domain/folio/entries/entries.queries.ts";
import * as folio from "../../domain/folio/entries/entries.service.ts";
import { router, withPermission } from "./trpc.ts";

export const balanceRouter = router({
  get: withPermission("balance.view")
    .output(balanceSchemas.balanceOutput)
    .query(({ ctx }) => balanceQueries.get(ctx.scope)),
  statement: withPermission("balance.view")
    .input(balanceSchemas.statementInput)
    .output(balanceSchemas.statementOutput)
    .query(({ ctx, input }) => balanceQueries.statement(ctx.scope, input)),
  setAccount: withPermission("balance.manage", "setAccount")
    .input(balanceSchemas.setAccountInput)
    .output(balanceSchemas.balanceOutput)
    .mutation(({ ctx, input }) => balance.setAccount(ctx.scope, input)),
});

export const folioRouter = router({
  list: withPermission("folio.view")
    .input(entrySchemas.entryListInput)
    .output(entrySchemas.entryListOutput)
    .query(({ ctx, input }) => entryQueries.list(ctx.scope, input)),
  pay: withPermission("stays.manage", "takePayment")
    .input(entrySchemas.payInput)
    .output(entrySchemas.entryDone)
    .mutation(({ ctx, input }) => folio.pay(ctx.scope, input)),
  refund: withPermission("folio.refund", "refund")
    .input(entrySchemas.refundInput)
    .output(entrySchemas.entryDone)
    .mutation(({ ctx, input }) => folio.refund(ctx.scope, input)),
  payOutCredit: withPermission("folio.refund", "payOutCredit")
    .input(entrySchemas.payOutCreditInput)
    .output(entrySchemas.entryDone)
    .mutation(({ ctx, input }) => folio.payOutCredit(ctx.scope, input)),
  recharge: withPermission("balance.manage", "recharge")
    .input(balanceSchemas.rechargeInput)
    .output(balanceSchemas.balanceMoved)
    .mutation(({ ctx, input }) => balance.recharge(ctx.scope, input)),
  withdraw: withPermission("balance.manage", "withdraw")
    .input(balanceSchemas.withdrawInput)
    .output(balanceSchemas.balanceMoved)
    .mutation(({ ctx, input }) => balance.withdraw(ctx.scope, input)),
});

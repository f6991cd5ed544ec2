import * as balanceSchemas from "@innkey/shared/schemas/folio";
import * as balanceQueries from "../../domain/folio/balance/balance.service.ts";
import * as charges from "../../domain/folio/entries/charges.service.ts";
import * as entryQueries from "../../domain/folio/entries/entries.service.ts";
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
    .mutation(({ ctx, input }) => balanceQueries.setAccount(ctx.scope, input)),
});

export const folioRouter = router({
  list: withPermission("folio.view")
    .input(balanceSchemas.entryListInput)
    .output(balanceSchemas.entryListOutput)
    .query(({ ctx, input }) => entryQueries.list(ctx.scope, input)),
  pay: withPermission("stays.manage", "takePayment")
    .input(balanceSchemas.payInput)
    .output(balanceSchemas.entryDone)
    .mutation(({ ctx, input }) => entryQueries.pay(ctx.scope, input)),
  chargeExtra: withPermission("stays.manage", "chargeExtra")
    .input(balanceSchemas.chargeExtraInput)
    .output(balanceSchemas.entryDone)
    .mutation(({ ctx, input }) => charges.chargeExtra(ctx.scope, input)),
  cancelCharge: withPermission("folio.refund", "cancelCharge")
    .input(balanceSchemas.cancelChargeInput)
    .output(balanceSchemas.entryDone)
    .mutation(({ ctx, input }) => charges.cancelCharge(ctx.scope, input)),
  refund: withPermission("folio.refund", "refund")
    .input(balanceSchemas.refundInput)
    .output(balanceSchemas.entryDone)
    .mutation(({ ctx, input }) => entryQueries.refund(ctx.scope, input)),
  payOutCredit: withPermission("folio.refund", "payOutCredit")
    .input(balanceSchemas.payOutCreditInput)
    .output(balanceSchemas.entryDone)
    .mutation(({ ctx, input }) => entryQueries.payOutCredit(ctx.scope, input)),
  recharge: withPermission("balance.manage", "recharge")
    .input(balanceSchemas.rechargeInput)
    .output(balanceSchemas.balanceMoved)
    .mutation(({ ctx, input }) => balanceQueries.recharge(ctx.scope, input)),
  withdraw: withPermission("balance.manage", "withdraw")
    .input(balanceSchemas.confirmedWithdrawInput)
    .output(balanceSchemas.balanceMoved)
    .mutation(({ ctx, input }) => balanceQueries.withdraw(ctx.scope, input)),
  undoWithdrawal: withPermission("balance.manage", "undoWithdrawal")
    .input(balanceSchemas.undoWithdrawalInput)
    .output(balanceSchemas.balanceMoved)
    .mutation(({ ctx, input }) => balanceQueries.undoWithdrawal(ctx.scope, input)),
});

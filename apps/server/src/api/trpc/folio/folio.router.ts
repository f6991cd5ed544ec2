import * as b from "@innkey/shared/schemas/folio/balance";
import * as s from "@innkey/shared/schemas/folio/entries";
import * as balance from "../../../domain/folio/balance/balance.service.ts";
import * as queries from "../../../domain/folio/entries/entries.queries.ts";
import * as folio from "../../../domain/folio/entries/entries.service.ts";
import { router, signedIn } from "../trpc.ts";

export const folioRouter = router({
  list: signedIn
    .input(s.entryListInput)
    .output(s.entryListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  pay: signedIn
    .input(s.payInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.pay(ctx.scope, input)),
  refund: signedIn
    .input(s.refundInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.refund(ctx.scope, input)),
  payOutCredit: signedIn
    .input(s.payOutCreditInput)
    .output(s.entryDone)
    .mutation(({ ctx, input }) => folio.payOutCredit(ctx.scope, input)),
  recharge: signedIn
    .input(b.rechargeInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.recharge(ctx.scope, input)),
  withdraw: signedIn
    .input(b.withdrawInput)
    .output(b.balanceMoved)
    .mutation(({ ctx, input }) => balance.withdraw(ctx.scope, input)),
});

import * as s from "@innkey/shared/schemas/folio/balance";
import * as queries from "../../../domain/folio/balance/balance.queries.ts";
import * as balance from "../../../domain/folio/balance/balance.service.ts";
import { router, withPermission } from "../trpc.ts";

export const balanceRouter = router({
  get: withPermission("balance.view")
    .output(s.balanceOutput)
    .query(({ ctx }) => queries.get(ctx.scope)),
  statement: withPermission("balance.view")
    .input(s.statementInput)
    .output(s.statementOutput)
    .query(({ ctx, input }) => queries.statement(ctx.scope, input)),
  setAccount: withPermission("balance.manage", "setAccount")
    .input(s.setAccountInput)
    .output(s.balanceOutput)
    .mutation(({ ctx, input }) => balance.setAccount(ctx.scope, input)),
});

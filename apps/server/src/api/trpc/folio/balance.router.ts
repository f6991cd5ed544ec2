import * as s from "@innkey/shared/schemas/folio/balance";
import * as queries from "../../../domain/folio/balance/balance.queries.ts";
import * as balance from "../../../domain/folio/balance/balance.service.ts";
import { router, signedIn } from "../trpc.ts";

export const balanceRouter = router({
  get: signedIn.output(s.balanceOutput).query(({ ctx }) => queries.get(ctx.scope)),
  statement: signedIn
    .input(s.statementInput)
    .output(s.statementOutput)
    .query(({ ctx, input }) => queries.statement(ctx.scope, input)),
  setAccount: signedIn
    .input(s.setAccountInput)
    .output(s.balanceOutput)
    .mutation(({ ctx, input }) => balance.setAccount(ctx.scope, input)),
});

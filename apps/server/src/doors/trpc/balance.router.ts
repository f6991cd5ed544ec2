import * as s from "@innkey/shared/schemas/balance";
import * as queries from "../../modules/balance/balance.queries.ts";
import * as balance from "../../modules/balance/balance.service.ts";
import { statement } from "../../modules/balance/statement.queries.ts";
import { router, signedIn } from "./trpc.ts";

export const balanceRouter = router({
  get: signedIn.output(s.balanceOutput).query(({ ctx }) => queries.get(ctx.scope)),
  statement: signedIn
    .input(s.statementInput)
    .output(s.statementOutput)
    .query(({ ctx, input }) => statement(ctx.scope, input)),
  setAccount: signedIn
    .input(s.setAccountInput)
    .output(s.balanceOutput)
    .mutation(({ ctx, input }) => balance.setAccount(ctx.scope, input)),
});

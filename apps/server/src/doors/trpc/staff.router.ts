import * as s from "@innkey/shared/schemas/people";
import * as queries from "../../modules/staff/staff.queries.ts";
import * as staff from "../../modules/staff/staff.service.ts";
import { router, signedIn } from "./trpc.ts";

export const staffRouter = router({
  list: signedIn.output(s.operatorListOutput).query(({ ctx }) => queries.list(ctx.scope)),
  save: signedIn
    .input(s.operatorInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => staff.save(ctx.scope, ctx.services.auth.hasher, input)),
  freeze: signedIn
    .input(s.freezeOperatorInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => staff.setFrozen(ctx.scope, input)),
});

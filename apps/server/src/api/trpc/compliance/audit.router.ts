import * as s from "@innkey/shared/schemas/compliance/audit";
import * as queries from "../../../domain/compliance/audit/audit.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const auditRouter = router({
  list: withPermission("audit.view")
    .input(s.auditListInput)
    .output(s.auditListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
});

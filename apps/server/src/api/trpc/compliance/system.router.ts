import * as s from "@innkey/shared/schemas/overview/system";
import { inSession, router, withPermission } from "../trpc.ts";

export const systemRouter = router({
  condition: inSession.output(s.condition).query(({ ctx }) => ctx.services.system.condition(ctx.scope)),
  status: withPermission("system.view")
    .output(s.systemStatus)
    .query(({ ctx }) => ctx.services.system.status(ctx.scope)),
});

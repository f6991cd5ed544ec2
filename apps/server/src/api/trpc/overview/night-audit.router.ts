import * as s from "@innkey/shared/schemas/overview/night-audit";
import * as queries from "../../../domain/overview/night-audit/night-audit.queries.ts";
import { close } from "../../../domain/overview/night-audit/night-audit.service.ts";
import { router, withPermission } from "../trpc.ts";

export const nightAuditRouter = router({
  read: withPermission("reports.view")
    .input(s.nightAuditInput)
    .output(s.nightAuditOutput)
    .query(({ ctx, input }) => queries.read(ctx.scope, input)),
  closedDays: withPermission("reports.view")
    .output(s.closedDaysOutput)
    .query(({ ctx }) => queries.closedDays(ctx.scope)),
  close: withPermission("reports.close", "closeDay")
    .input(s.closeDayInput)
    .output(s.nightAuditOutput)
    .mutation(({ ctx, input }) => close(ctx.scope, input)),
});

import * as s from "@innkey/shared/schemas/messaging/alerts";
import * as alerts from "../../../domain/messaging/alerts/alerts.service.ts";
import { router, withPermission } from "../trpc.ts";

export const alertsRouter = router({
  list: withPermission("alerts.view")
    .input(s.alertsInput)
    .output(s.alertPage)
    .query(({ ctx, input }) => alerts.list(ctx.scope, input)),
  unread: withPermission("alerts.view")
    .output(s.unreadAlerts)
    .query(({ ctx }) => alerts.unread(ctx.scope)),
  markRead: withPermission("alerts.manage", "markAlertsRead")
    .input(s.readAlertsInput)
    .output(s.alertsChanged)
    .mutation(({ ctx, input }) => alerts.markRead(ctx.scope, input)),
  remove: withPermission("alerts.manage", "removeAlerts")
    .input(s.deleteAlertsInput)
    .output(s.alertsChanged)
    .mutation(({ ctx, input }) => alerts.remove(ctx.scope, input)),
});

import * as s from "@innkey/shared/schemas/messaging/alerts";
import * as alerts from "../../../domain/messaging/alerts/alerts.service.ts";
import { router, signedIn } from "../trpc.ts";

export const alertsRouter = router({
  list: signedIn
    .input(s.alertsInput)
    .output(s.alertPage)
    .query(({ ctx, input }) => alerts.list(ctx.scope, input)),
  unread: signedIn.output(s.unreadAlerts).query(({ ctx }) => alerts.unread(ctx.scope)),
  markRead: signedIn
    .input(s.readAlertsInput)
    .output(s.alertsChanged)
    .mutation(({ ctx, input }) => alerts.markRead(ctx.scope, input)),
  remove: signedIn
    .input(s.deleteAlertsInput)
    .output(s.alertsChanged)
    .mutation(({ ctx, input }) => alerts.remove(ctx.scope, input)),
});

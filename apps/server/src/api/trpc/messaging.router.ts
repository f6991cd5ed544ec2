import * as alertSchemas from "@innkey/shared/schemas/messaging/alerts";
import * as integrationSchemas from "@innkey/shared/schemas/messaging/integrations";
import { outboxListOutput } from "@innkey/shared/schemas/messaging/messages";
import { z } from "zod";
import * as keys from "../../domain/identity/api-keys/keys.service.ts";
import * as alerts from "../../domain/messaging/alerts/alerts.service.ts";
import * as webhookQueries from "../../domain/messaging/webhooks/webhooks.queries.ts";
import * as webhooks from "../../domain/messaging/webhooks/webhooks.service.ts";
import * as outboxQueries from "../../domain/overview/outbox.queries.ts";
import { router, withPermission } from "./trpc.ts";

export const alertsRouter = router({
  list: withPermission("alerts.view")
    .input(alertSchemas.alertsInput)
    .output(alertSchemas.alertPage)
    .query(({ ctx, input }) => alerts.list(ctx.scope, input)),
  unread: withPermission("alerts.view")
    .output(alertSchemas.unreadAlerts)
    .query(({ ctx }) => alerts.unread(ctx.scope)),
  markRead: withPermission("alerts.manage", "markAlertsRead")
    .input(alertSchemas.readAlertsInput)
    .output(alertSchemas.alertsChanged)
    .mutation(({ ctx, input }) => alerts.markRead(ctx.scope, input)),
  remove: withPermission("alerts.manage", "removeAlerts")
    .input(alertSchemas.deleteAlertsInput)
    .output(alertSchemas.alertsChanged)
    .mutation(({ ctx, input }) => alerts.remove(ctx.scope, input)),
});

export const integrationsRouter = router({
  keys: withPermission("integrations.manage")
    .output(z.array(integrationSchemas.keyRow))
    .query(({ ctx }) => keys.list(ctx.scope)),
  createKey: withPermission("integrations.manage", "programKeys")
    .input(integrationSchemas.createKeyInput)
    .output(integrationSchemas.keyCreated)
    .mutation(({ ctx, input }) => keys.create(ctx.scope, input)),
  revokeKey: withPermission("integrations.manage", "programKeys")
    .input(integrationSchemas.keyRef)
    .output(integrationSchemas.keyRef)
    .mutation(({ ctx, input }) => keys.revoke(ctx.scope, input)),
  webhooks: withPermission("integrations.manage")
    .output(z.array(integrationSchemas.webhookRow))
    .query(({ ctx }) => webhookQueries.list(ctx.scope)),
  saveWebhook: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.saveWebhookInput)
    .output(integrationSchemas.webhookSaved)
    .mutation(({ ctx, input }) => webhooks.save(ctx.scope, input, ctx.services.webhooks)),
  removeWebhook: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.webhookRef)
    .output(integrationSchemas.webhookRef)
    .mutation(({ ctx, input }) => webhooks.remove(ctx.scope, input)),
  switchWebhook: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.switchWebhookInput)
    .output(integrationSchemas.webhookRef)
    .mutation(({ ctx, input }) => webhooks.switchTo(ctx.scope, input)),
  rotateSecret: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.webhookRef)
    .output(integrationSchemas.secretRotated)
    .mutation(({ ctx, input }) => webhooks.rotateSecret(ctx.scope, input)),
  sendTest: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.webhookRef)
    .output(integrationSchemas.testSent)
    .mutation(({ ctx, input }) => webhooks.sendTest(ctx.scope, input)),
  deliveries: withPermission("integrations.manage")
    .input(integrationSchemas.deliveriesInput)
    .output(integrationSchemas.deliveryPage)
    .query(({ ctx, input }) => webhookQueries.deliveries(ctx.scope, input)),
  resend: withPermission("integrations.manage", "webhooks")
    .input(integrationSchemas.resendInput)
    .output(integrationSchemas.resent)
    .mutation(({ ctx, input }) => webhooks.resend(ctx.scope, input)),
});

export const outboxRouter = router({
  list: withPermission("outbox.view")
    .output(outboxListOutput)
    .query(({ ctx }) => outboxQueries.list(ctx.scope, ctx.services.notifier)),
});

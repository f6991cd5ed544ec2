import * as s from "@innkey/shared/schemas/messaging/integrations";
import { z } from "zod";
import * as keys from "../../../domain/identity/api-keys/keys.service.ts";
import * as queries from "../../../domain/messaging/webhooks/webhooks.queries.ts";
import * as webhooks from "../../../domain/messaging/webhooks/webhooks.service.ts";
import { router, withPermission } from "../trpc.ts";

export const integrationsRouter = router({
  keys: withPermission("integrations.manage")
    .output(z.array(s.keyRow))
    .query(({ ctx }) => keys.list(ctx.scope)),
  createKey: withPermission("integrations.manage", "programKeys")
    .input(s.createKeyInput)
    .output(s.keyCreated)
    .mutation(({ ctx, input }) => keys.create(ctx.scope, input)),
  revokeKey: withPermission("integrations.manage", "programKeys")
    .input(s.keyRef)
    .output(s.keyRef)
    .mutation(({ ctx, input }) => keys.revoke(ctx.scope, input)),
  webhooks: withPermission("integrations.manage")
    .output(z.array(s.webhookRow))
    .query(({ ctx }) => queries.list(ctx.scope)),
  saveWebhook: withPermission("integrations.manage", "webhooks")
    .input(s.saveWebhookInput)
    .output(s.webhookSaved)
    .mutation(({ ctx, input }) => webhooks.save(ctx.scope, input, ctx.services.webhooks)),
  removeWebhook: withPermission("integrations.manage", "webhooks")
    .input(s.webhookRef)
    .output(s.webhookRef)
    .mutation(({ ctx, input }) => webhooks.remove(ctx.scope, input)),
  switchWebhook: withPermission("integrations.manage", "webhooks")
    .input(s.switchWebhookInput)
    .output(s.webhookRef)
    .mutation(({ ctx, input }) => webhooks.switchTo(ctx.scope, input)),
  rotateSecret: withPermission("integrations.manage", "webhooks")
    .input(s.webhookRef)
    .output(s.secretRotated)
    .mutation(({ ctx, input }) => webhooks.rotateSecret(ctx.scope, input)),
  sendTest: withPermission("integrations.manage", "webhooks")
    .input(s.webhookRef)
    .output(s.testSent)
    .mutation(({ ctx, input }) => webhooks.sendTest(ctx.scope, input)),
  deliveries: withPermission("integrations.manage")
    .input(s.deliveriesInput)
    .output(s.deliveryPage)
    .query(({ ctx, input }) => queries.deliveries(ctx.scope, input)),
  resend: withPermission("integrations.manage", "webhooks")
    .input(s.resendInput)
    .output(s.resent)
    .mutation(({ ctx, input }) => webhooks.resend(ctx.scope, input)),
});

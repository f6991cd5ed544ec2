import * as guestMessageSchemas from "@innkey/shared/schemas/guest-messages";
import * as messagingSchemas from "@innkey/shared/schemas/messaging";
import { outboxListOutput } from "@innkey/shared/schemas/messaging";
import { z } from "zod";
import * as guestMessages from "../../domain/desk/guest-messages.ts";
import * as keys from "../../domain/identity/api-keys/api-keys.ts";
import * as alerts from "../../domain/messaging/alerts/alerts.service.ts";
import * as guestMessageSettings from "../../domain/messaging/guest-messages/settings.service.ts";
import * as webhooks from "../../domain/messaging/webhooks/webhooks.service.ts";
import * as guestMessageQueries from "../../domain/overview/guest-messages.queries.ts";
import * as outboxQueries from "../../domain/overview/outbox.queries.ts";
import { router, withPermission } from "./trpc.ts";

export const alertsRouter = router({
  list: withPermission("alerts.view")
    .input(messagingSchemas.alertsInput)
    .output(messagingSchemas.alertPage)
    .query(({ ctx, input }) => alerts.list(ctx.scope, input)),
  unread: withPermission("alerts.view")
    .output(messagingSchemas.unreadAlerts)
    .query(({ ctx }) => alerts.unread(ctx.scope)),
  markRead: withPermission("alerts.manage", "markAlertsRead")
    .input(messagingSchemas.readAlertsInput)
    .output(messagingSchemas.alertsChanged)
    .mutation(({ ctx, input }) => alerts.markRead(ctx.scope, input)),
  remove: withPermission("alerts.manage", "removeAlerts")
    .input(messagingSchemas.deleteAlertsInput)
    .output(messagingSchemas.alertsChanged)
    .mutation(({ ctx, input }) => alerts.remove(ctx.scope, input)),
});

export const integrationsRouter = router({
  keys: withPermission("integrations.manage")
    .output(z.array(messagingSchemas.keyRow))
    .query(({ ctx }) => keys.list(ctx.scope)),
  createKey: withPermission("integrations.manage", "programKeys")
    .input(messagingSchemas.createKeyInput)
    .output(messagingSchemas.keyCreated)
    .mutation(({ ctx, input }) => keys.create(ctx.scope, input)),
  revokeKey: withPermission("integrations.manage", "programKeys")
    .input(messagingSchemas.keyRef)
    .output(messagingSchemas.keyRef)
    .mutation(({ ctx, input }) => keys.revoke(ctx.scope, input)),
  webhooks: withPermission("integrations.manage")
    .output(z.array(messagingSchemas.webhookRow))
    .query(({ ctx }) => webhooks.list(ctx.scope)),
  saveWebhook: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.saveWebhookInput)
    .output(messagingSchemas.webhookSaved)
    .mutation(({ ctx, input }) => webhooks.save(ctx.scope, input, ctx.services.webhooks)),
  removeWebhook: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.webhookRef)
    .output(messagingSchemas.webhookRef)
    .mutation(({ ctx, input }) => webhooks.remove(ctx.scope, input)),
  switchWebhook: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.switchWebhookInput)
    .output(messagingSchemas.webhookRef)
    .mutation(({ ctx, input }) => webhooks.switchTo(ctx.scope, input)),
  rotateSecret: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.webhookRef)
    .output(messagingSchemas.secretRotated)
    .mutation(({ ctx, input }) => webhooks.rotateSecret(ctx.scope, input)),
  sendTest: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.webhookRef)
    .output(messagingSchemas.testSent)
    .mutation(({ ctx, input }) => webhooks.sendTest(ctx.scope, input)),
  deliveries: withPermission("integrations.manage")
    .input(messagingSchemas.deliveriesInput)
    .output(messagingSchemas.deliveryPage)
    .query(({ ctx, input }) => webhooks.deliveries(ctx.scope, input)),
  resend: withPermission("integrations.manage", "webhooks")
    .input(messagingSchemas.resendInput)
    .output(messagingSchemas.resent)
    .mutation(({ ctx, input }) => webhooks.resend(ctx.scope, input)),
});

export const outboxRouter = router({
  list: withPermission("outbox.view")
    .output(outboxListOutput)
    .query(({ ctx }) => outboxQueries.list(ctx.scope, ctx.services.outgoingMessages)),
});

export const guestMessagesRouter = router({
  settings: withPermission("hotel.view")
    .output(guestMessageSchemas.guestMessageSettings)
    .query(({ ctx }) => guestMessageSettings.get(ctx.scope, ctx.services)),
  saveSettings: withPermission("hotel.manage", "guestMessageSettings")
    .input(guestMessageSchemas.saveGuestMessageSettingsInput)
    .output(guestMessageSchemas.guestMessageSettings)
    .mutation(({ ctx, input }) => guestMessageSettings.save(ctx.scope, ctx.services, input)),
  text: withPermission("hotel.view")
    .input(guestMessageSchemas.guestMessageTextInput)
    .output(guestMessageSchemas.guestMessageText)
    .query(({ ctx, input }) => guestMessageSettings.getText(ctx.scope, input)),
  saveText: withPermission("hotel.manage", "guestMessageSettings")
    .input(guestMessageSchemas.saveGuestMessageTextInput)
    .output(guestMessageSchemas.guestMessageTextSaved)
    .mutation(({ ctx, input }) => guestMessageSettings.saveText(ctx.scope, input)),
  saveWebhook: withPermission("integrations.manage", "webhooks")
    .input(guestMessageSchemas.saveGuestMessageWebhookInput)
    .output(guestMessageSchemas.guestMessageWebhookSaved)
    .mutation(({ ctx, input }) => guestMessageSettings.saveWebhook(ctx.scope, input, ctx.services.webhooks)),
  samples: withPermission("hotel.view")
    .output(guestMessageSchemas.guestMessageSamples)
    .query(({ ctx }) => guestMessageQueries.samples(ctx.scope)),
  preview: withPermission("hotel.view")
    .input(guestMessageSchemas.previewGuestMessageInput)
    .output(guestMessageSchemas.guestMessagePreview)
    .query(({ ctx, input }) => guestMessageQueries.preview(ctx.scope, input, ctx.services.guestUrl)),
  list: withPermission("stays.view")
    .input(guestMessageSchemas.guestMessagesInput)
    .output(guestMessageSchemas.guestMessagesOfStay)
    .query(({ ctx, input }) => guestMessageQueries.listMessages(ctx.scope, input, ctx.services.outgoingMessages)),
  read: withPermission("stays.view")
    .input(guestMessageSchemas.guestMessageRef)
    .output(guestMessageSchemas.guestMessageContent)
    .query(({ ctx, input }) => guestMessageQueries.readMessage(ctx.scope, input)),
  reveal: withPermission("passcodes.issue", "showCode")
    .input(guestMessageSchemas.guestMessageRef)
    .output(guestMessageSchemas.guestMessageContent)
    .mutation(({ ctx, input }) => guestMessageQueries.revealMessage(ctx.scope, input)),
  send: withPermission("stays.manage", "sendGuestMessage")
    .input(guestMessageSchemas.sendGuestMessageInput)
    .output(guestMessageSchemas.guestMessageSent)
    .mutation(({ ctx, input }) => guestMessages.sendByHand(ctx.scope, input)),
  handOver: withPermission("stays.manage", "sendGuestMessage")
    .input(guestMessageSchemas.guestMessageRef)
    .output(guestMessageSchemas.guestMessageHandedOver)
    .mutation(({ ctx, input }) => guestMessages.handOver(ctx.scope, input)),
  optOut: withPermission("stays.manage", "sendGuestMessage")
    .input(guestMessageSchemas.optOutInput)
    .output(guestMessageSchemas.optedOut)
    .mutation(({ ctx, input }) => guestMessages.setOptOut(ctx.scope, input)),
});

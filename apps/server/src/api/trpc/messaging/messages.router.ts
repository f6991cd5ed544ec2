import * as s from "@innkey/shared/schemas/messages";
import * as messages from "../../../domain/messaging/messages/messages.service.ts";
import { router, signedIn } from "../trpc.ts";

export const messagesRouter = router({
  list: signedIn
    .input(s.messagesInput)
    .output(s.messagePage)
    .query(({ ctx, input }) => messages.list(ctx.scope, input)),
  unread: signedIn.output(s.unreadMessages).query(({ ctx }) => messages.unread(ctx.scope)),
  markRead: signedIn
    .input(s.readMessagesInput)
    .output(s.messagesChanged)
    .mutation(({ ctx, input }) => messages.markRead(ctx.scope, input)),
  remove: signedIn
    .input(s.deleteMessagesInput)
    .output(s.messagesChanged)
    .mutation(({ ctx, input }) => messages.remove(ctx.scope, input)),
});

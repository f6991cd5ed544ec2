import { outboxListOutput } from "@innkey/shared/schemas/messaging/messages";
import * as queries from "../../../domain/overview/outbox.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const outboxRouter = router({
  list: withPermission("outbox.view")
    .output(outboxListOutput)
    .query(({ ctx }) => queries.list(ctx.scope, ctx.services.notifier)),
});

import { outboxListOutput } from "@innkey/shared/schemas/messaging/messages";
import * as queries from "../../../domain/overview/outbox.queries.ts";
import { router, signedIn } from "../trpc.ts";

export const outboxRouter = router({
  list: signedIn.output(outboxListOutput).query(({ ctx }) => queries.list(ctx.scope, ctx.services.notifier)),
});

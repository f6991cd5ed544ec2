import * as s from "@innkey/shared/schemas/access/locks";
import * as keys from "../../../domain/access/credentials/explain.service.ts";
import * as risk from "../../../domain/access/credentials/risk.service.ts";
import { resetSequence } from "../../../domain/access/credentials/sequence-reset.service.ts";
import * as links from "../../../domain/access/lock-links/device-links.service.ts";
import * as queries from "../../../domain/access/locks/locks.queries.ts";
import * as locks from "../../../domain/access/locks/locks.service.ts";
import * as registration from "../../../domain/access/locks/registration.service.ts";
import { router, signedIn } from "../trpc.ts";

export const locksRouter = router({
  list: signedIn.output(s.lockRows).query(({ ctx }) => queries.list(ctx.scope)),
  detail: signedIn
    .input(s.lockRef)
    .output(s.lockDetail)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input)),
  commands: signedIn
    .input(s.commandsInput)
    .output(s.commandsOutput)
    .query(({ ctx, input }) => queries.commands(ctx.scope, input)),
  commandState: signedIn
    .input(s.commandRef)
    .output(s.commandQueued)
    .query(({ ctx, input }) => queries.commandState(ctx.scope, input)),
  save: signedIn
    .input(s.lockInput)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => registration.save(ctx.scope, input)),
  remove: signedIn
    .input(s.lockRef)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => registration.remove(ctx.scope, input)),
  connect: signedIn
    .input(s.lockRef)
    .output(s.lockAccess)
    .mutation(({ ctx, input }) => registration.connect(ctx.scope, input, ctx.services.locks)),
  open: signedIn
    .input(s.openDoorInput)
    .output(s.commandQueued)
    .mutation(({ ctx, input }) => locks.open(ctx.scope, input)),
  notice: signedIn
    .input(s.noticeInput)
    .output(s.noticeSent)
    .mutation(({ ctx, input }) => locks.sendNotice(ctx.scope, input)),
  retry: signedIn
    .input(s.lockRef)
    .output(s.retryOutput)
    .mutation(({ ctx, input }) => locks.retry(ctx.scope, input)),
  readBack: signedIn
    .input(s.lockRef)
    .output(s.commandQueued)
    .mutation(({ ctx, input }) => locks.readBack(ctx.scope, input)),
  resetSequence: signedIn
    .input(s.lockRef)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => resetSequence(ctx.scope, input)),
  settleUnmanaged: signedIn
    .input(s.unmanagedInput)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => locks.settleUnmanaged(ctx.scope, input)),
  residual: signedIn.output(s.residualRows).query(({ ctx }) => risk.residual(ctx.scope)),
  tellAgain: signedIn
    .input(s.residualRef)
    .output(s.retryOutput)
    .mutation(({ ctx, input }) => risk.resendRevocation(ctx.scope, input)),
  writeOffKeys: signedIn
    .input(s.lockRef)
    .output(s.writtenOff)
    .mutation(({ ctx, input }) => risk.writeOffKeys(ctx.scope, input)),
  explain: signedIn
    .input(s.explainInput)
    .output(s.keyVerdict)
    .query(({ ctx, input }) => keys.explain(ctx.scope, input)),
  links: signedIn.output(s.deviceLinkRows).query(({ ctx }) => links.list(ctx.scope)),
  encryptedBroker: signedIn
    .output(s.encryptedBroker)
    .query(({ ctx }) => links.encryptedBroker(ctx.scope, ctx.services.locks)),
  saveLink: signedIn
    .input(s.deviceLinkInput)
    .output(s.deviceLinkSaved)
    .mutation(({ ctx, input }) => links.save(ctx.scope, input, ctx.services.links)),
  removeLink: signedIn
    .input(s.deviceLinkRef)
    .output(s.deviceLinkRef)
    .mutation(({ ctx, input }) => links.remove(ctx.scope, input)),
});

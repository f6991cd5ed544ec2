import * as s from "@innkey/shared/schemas/access/locks";
import * as keys from "../../../domain/access/credentials/explain.service.ts";
import * as risk from "../../../domain/access/credentials/risk.service.ts";
import { resetSequence } from "../../../domain/access/credentials/sequence-reset.service.ts";
import * as links from "../../../domain/access/lock-links/device-links.service.ts";
import * as queries from "../../../domain/access/locks/locks.queries.ts";
import * as locks from "../../../domain/access/locks/locks.service.ts";
import * as registration from "../../../domain/access/locks/registration.service.ts";
import { router, signedIn, withPermission } from "../trpc.ts";

export const locksRouter = router({
  list: withPermission("locks.view")
    .output(s.lockRows)
    .query(({ ctx }) => queries.list(ctx.scope)),
  detail: withPermission("locks.view")
    .input(s.lockRef)
    .output(s.lockDetail)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input)),
  commands: withPermission("locks.view")
    .input(s.commandsInput)
    .output(s.commandsOutput)
    .query(({ ctx, input }) => queries.commands(ctx.scope, input)),
  commandState: signedIn
    .input(s.commandRef)
    .output(s.commandQueued)
    .query(({ ctx, input }) => queries.commandState(ctx.scope, input)),
  save: withPermission("locks.manage", "saveLock")
    .input(s.lockInput)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => registration.save(ctx.scope, input)),
  remove: withPermission("locks.manage", "removeLock")
    .input(s.lockRef)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => registration.remove(ctx.scope, input)),
  connect: withPermission("locks.manage", "saveLock")
    .input(s.lockRef)
    .output(s.lockAccess)
    .mutation(({ ctx, input }) => registration.connect(ctx.scope, input, ctx.services.locks)),
  open: withPermission("locks.open", "openDoor")
    .input(s.openDoorInput)
    .output(s.commandQueued)
    .mutation(({ ctx, input }) => locks.open(ctx.scope, input)),
  notice: withPermission("locks.open", "sendLockText")
    .input(s.noticeInput)
    .output(s.noticeSent)
    .mutation(({ ctx, input }) => locks.sendNotice(ctx.scope, input)),
  retry: withPermission("locks.retry", "retryCommand")
    .input(s.lockRef)
    .output(s.retryOutput)
    .mutation(({ ctx, input }) => locks.retry(ctx.scope, input)),
  readBack: withPermission("locks.manage", "readLock")
    .input(s.lockRef)
    .output(s.commandQueued)
    .mutation(({ ctx, input }) => locks.readBack(ctx.scope, input)),
  resetSequence: withPermission("locks.manage", "resetSequence")
    .input(s.lockRef)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => resetSequence(ctx.scope, input)),
  settleUnmanaged: withPermission("locks.manage", "readLock")
    .input(s.unmanagedInput)
    .output(s.lockRef)
    .mutation(({ ctx, input }) => locks.settleUnmanaged(ctx.scope, input)),
  residual: withPermission("locks.view")
    .output(s.residualRows)
    .query(({ ctx }) => risk.residual(ctx.scope)),
  tellAgain: withPermission("locks.retry", "retryCommand")
    .input(s.residualRef)
    .output(s.retryOutput)
    .mutation(({ ctx, input }) => risk.resendRevocation(ctx.scope, input)),
  writeOffKeys: withPermission("locks.manage", "removeLock")
    .input(s.lockRef)
    .output(s.writtenOff)
    .mutation(({ ctx, input }) => risk.writeOffKeys(ctx.scope, input)),
  explain: withPermission("locks.view")
    .input(s.explainInput)
    .output(s.keyVerdict)
    .query(({ ctx, input }) => keys.explain(ctx.scope, input)),
  links: withPermission("locks.manage")
    .output(s.deviceLinkRows)
    .query(({ ctx }) => links.list(ctx.scope)),
  encryptedBroker: withPermission("locks.manage")
    .output(s.encryptedBroker)
    .query(({ ctx }) => links.encryptedBroker(ctx.scope, ctx.services.locks)),
  saveLink: withPermission("locks.manage", "connectCloud")
    .input(s.deviceLinkInput)
    .output(s.deviceLinkSaved)
    .mutation(({ ctx, input }) => links.save(ctx.scope, input, ctx.services.links)),
  removeLink: withPermission("locks.manage", "connectCloud")
    .input(s.deviceLinkRef)
    .output(s.deviceLinkRef)
    .mutation(({ ctx, input }) => links.remove(ctx.scope, input)),
});

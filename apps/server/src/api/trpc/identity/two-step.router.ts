import { acknowledged } from "@innkey/shared/schemas/identity/auth";
import * as s from "@innkey/shared/schemas/identity/two-step";
import { router, settingUp } from "../trpc.ts";

const OK = { ok: true } as const;

/** The caller's own second factor. Callers who must set it up first may use it too. */
export const twoStepRouter = router({
  state: settingUp.output(s.twoStepState).query(({ ctx }) => ctx.services.auth.ownTwoStep.state(ctx.scope, ctx.site)),
  prove: settingUp
    .input(s.proveInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownProof.byPassword(ctx.scope, ctx.sessionId, input.password);
      return OK;
    }),
  askProof: settingUp
    .output(s.passkeyProof)
    .mutation(({ ctx }) => ctx.services.auth.ownProof.askPasskey(ctx.scope, ctx.sessionId, ctx.site)),
  provePasskey: settingUp
    .input(s.passkeyLoginInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownProof.byPasskey(ctx.scope, ctx.sessionId, ctx.site, input);
      return OK;
    }),
  beginTotp: settingUp
    .output(s.totpSetup)
    .mutation(({ ctx }) => ctx.services.auth.ownTwoStep.beginTotp(ctx.scope, ctx.sessionId)),
  confirmTotp: settingUp
    .input(s.confirmTotpInput)
    .output(s.factorAdded)
    .mutation(({ ctx, input }) => ctx.services.auth.ownTwoStep.confirmTotp(ctx.scope, ctx.sessionId, input)),
  removeTotp: settingUp.output(acknowledged).mutation(async ({ ctx }) => {
    await ctx.services.auth.ownTwoStep.removeTotp(ctx.scope, ctx.sessionId);
    return OK;
  }),
  beginPasskey: settingUp
    .output(s.passkeySetup)
    .mutation(({ ctx }) => ctx.services.auth.ownTwoStep.beginPasskey(ctx.scope, ctx.sessionId, ctx.site)),
  addPasskey: settingUp
    .input(s.addPasskeyInput)
    .output(s.factorAdded)
    .mutation(({ ctx, input }) => ctx.services.auth.ownTwoStep.addPasskey(ctx.scope, ctx.sessionId, ctx.site, input)),
  renamePasskey: settingUp
    .input(s.renamePasskeyInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownTwoStep.renamePasskey(ctx.scope, ctx.sessionId, input);
      return OK;
    }),
  removePasskey: settingUp
    .input(s.passkeyRef)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownTwoStep.removePasskey(ctx.scope, ctx.sessionId, input.id);
      return OK;
    }),
  newRecoveryCodes: settingUp.output(s.recoveryCodes).mutation(async ({ ctx }) => ({
    recoveryCodes: await ctx.services.auth.ownTwoStep.newRecoveryCodes(ctx.scope, ctx.sessionId),
  })),
});

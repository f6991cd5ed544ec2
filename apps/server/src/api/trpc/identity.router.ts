import * as authSchemas from "@innkey/shared/schemas/identity/auth";
import { acknowledged } from "@innkey/shared/schemas/identity/auth";
import * as staffSchemas from "@innkey/shared/schemas/identity/staff";
import { openedActs } from "@innkey/shared/schemas/identity/staff";
import * as twoStepSchemas from "@innkey/shared/schemas/identity/two-step";
import { passkeyChallenge, passkeyLoginInput, secondFactorInput } from "@innkey/shared/schemas/identity/two-step";
import { z } from "zod";
import { removeStaff } from "../../domain/desk/public.ts";
import * as auth from "../../domain/identity/login/auth.service.ts";
import { saveOwnProfile } from "../../domain/identity/login/own-account.ts";
import type { SignedIn } from "../../domain/identity/login/sessions.ts";
import * as permits from "../../domain/identity/staff/permissions.service.ts";
import { listActs } from "../../domain/identity/staff/permissions.service.ts";
import * as staffQueries from "../../domain/identity/staff/staff.queries.ts";
import * as staff from "../../domain/identity/staff/staff.service.ts";
import { resetTwoStepOf } from "../../domain/identity/staff/two-step.service.ts";
import type {} from "../http/route-contract.ts";
import {
  choosingPassword,
  inSession,
  type Opened,
  open,
  type RequestContext,
  router,
  settingUp,
  withPermission,
} from "./trpc.ts";

const OK = { ok: true } as const;

/** Stores the new session in the browser. */
function writeSession({ cookie }: RequestContext, { token, deviceToken }: SignedIn): void {
  cookie.write(token);
  if (deviceToken !== null) cookie.writeDevice(deviceToken);
}

export const authRouter = router({
  status: open.output(authSchemas.authStatus).query(({ ctx }) => ctx.services.auth.status(ctx)),
  captcha: open
    .output(authSchemas.captcha)
    .mutation(({ ctx }) => ctx.services.auth.captchas.issue(ctx.visitor.address)),
  login: open
    .input(authSchemas.loginInput)
    .output(authSchemas.loginOutput)
    .mutation(async ({ ctx, input }) => {
      const { step, signedIn } = await ctx.services.auth.beginLogin(ctx.visitor, ctx.site, input);
      if (signedIn) writeSession(ctx, signedIn);
      return step;
    }),
  secondFactor: open
    .input(secondFactorInput)
    .output(authSchemas.me)
    .mutation(async ({ ctx, input }) => {
      const signedIn = await ctx.services.auth.secondFactor.answer(ctx.visitor, ctx.site, input);
      writeSession(ctx, signedIn);
      return auth.me(signedIn.scope);
    }),
  passkeyChallenge: open
    .output(passkeyChallenge)
    .mutation(({ ctx }) => ctx.services.auth.secondFactor.askPasskey(ctx.visitor, ctx.site)),
  passkeyLogin: open
    .input(passkeyLoginInput)
    .output(authSchemas.me)
    .mutation(async ({ ctx, input }) => {
      const signedIn = await ctx.services.auth.secondFactor.logIn(ctx.visitor, ctx.site, input);
      writeSession(ctx, signedIn);
      return auth.me(signedIn.scope);
    }),
  logout: open.output(authSchemas.acknowledged).mutation(async ({ ctx }) => {
    const scope = ctx.scope ?? ctx.limited;
    if (scope && ctx.sessionId) await ctx.services.auth.sessions.end(scope, ctx.sessionId);
    ctx.cookie.clear();
    return OK;
  }),
  me: inSession.output(authSchemas.me).query(({ ctx }) => auth.me(ctx.scope)),
  changePassword: choosingPassword
    .input(authSchemas.changePasswordInput)
    .output(authSchemas.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownPassword.change(ctx.scope, ctx.sessionId, input);
      return OK;
    }),
  saveProfile: inSession
    .input(authSchemas.ownProfileInput)
    .output(authSchemas.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await saveOwnProfile(ctx.scope, ctx.services.files, input);
      return OK;
    }),
  sendRecoveryCode: open
    .input(authSchemas.sendRecoveryCodeInput)
    .output(authSchemas.recoverySent)
    .mutation(({ ctx, input }) => ctx.services.auth.recovery.sendCode(ctx.visitor, input)),
  resetPassword: open
    .input(authSchemas.resetPasswordInput)
    .output(authSchemas.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.recovery.reset(ctx.visitor, input);
      return OK;
    }),
  sessions: inSession
    .output(z.array(authSchemas.sessionRow))
    .query(({ ctx }) => ctx.services.auth.sessions.list(ctx.scope, ctx.sessionId)),
  revokeSession: inSession
    .input(authSchemas.revokeSessionInput)
    .output(authSchemas.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.sessions.revoke(ctx.scope, input.id);
      return OK;
    }),
  switchHotel: inSession
    .input(authSchemas.switchHotelInput)
    .output(authSchemas.me)
    .mutation(async ({ ctx, input }) => {
      const { scope, sessionId, visitor } = ctx;
      return auth.me(await ctx.services.auth.sessions.switchHotel(scope, sessionId, input.hotelId, visitor));
    }),
});

interface Procedure {
  _def: { meta?: Opened };
}

/** What each permission opens, from what `procedures` and the REST routes say about themselves. */
export const permissionsRouter = (procedures: Readonly<Record<string, unknown>>) =>
  router({
    acts: withPermission("staff.view")
      .output(openedActs)
      .query(({ ctx }) => {
        const routes = [...ctx.request.server.contracts.values()].map((one) =>
          typeof one === "string" ? undefined : one.opens,
        );
        const opened = (Object.values(procedures) as Procedure[]).map(({ _def }) => _def.meta);
        return listActs(ctx.scope, [...opened, ...routes]);
      }),
  });

export const setupRouter = router({
  create: open
    .input(authSchemas.setupInput)
    .output(authSchemas.me)
    .mutation(async ({ ctx, input }) => {
      const signedIn = await ctx.services.auth.setup.create(ctx.visitor, input);
      writeSession(ctx, signedIn);
      return auth.me(signedIn.scope);
    }),
});

export const staffRouter = router({
  list: withPermission("staff.view")
    .output(staffSchemas.operatorListOutput)
    .query(({ ctx }) => staffQueries.list(ctx.scope)),
  save: withPermission("staff.manage", "saveStaff")
    .input(staffSchemas.operatorInput)
    .output(staffSchemas.operatorRef)
    .mutation(({ ctx, input }) => staff.save(ctx.scope, ctx.services, input)),
  freeze: withPermission("staff.manage", "freezeStaff")
    .input(staffSchemas.freezeOperatorInput)
    .output(staffSchemas.operatorRef)
    .mutation(({ ctx, input }) => staff.setFrozen(ctx.scope, input)),
  setRole: withPermission("staff.manage", "grantPermissions")
    .input(staffSchemas.operatorRoleInput)
    .output(staffSchemas.operatorRef)
    .mutation(({ ctx, input }) => permits.setRole(ctx.scope, input)),
  permit: withPermission("staff.manage", "grantPermissions")
    .input(staffSchemas.permitInput)
    .output(staffSchemas.permitted)
    .mutation(({ ctx, input }) => permits.setStaffPermissions(ctx.scope, input)),
  remove: withPermission("staff.manage", "removeStaff")
    .input(staffSchemas.removeOperatorInput)
    .output(staffSchemas.operatorRef)
    .mutation(({ ctx, input }) => removeStaff(ctx.scope, ctx.services.files, input.operatorId)),
  resetTwoStep: withPermission("staff.manage", "resetTwoStep")
    .input(staffSchemas.resetTwoStepInput)
    .output(staffSchemas.operatorRef)
    .mutation(({ ctx, input }) => resetTwoStepOf(ctx.scope, ctx.services.outgoingMessages, input.operatorId)),
  own: inSession.output(staffSchemas.ownRooms).query(({ ctx }) => staffQueries.listOwnRooms(ctx.scope)),
});

/** The caller's own second factor. Callers who must set it up first may use it too. */
export const twoStepRouter = router({
  state: settingUp
    .output(twoStepSchemas.twoStepState)
    .query(({ ctx }) => ctx.services.auth.ownTwoStep.state(ctx.scope, ctx.site)),
  prove: settingUp
    .input(twoStepSchemas.proveInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownProof.byPassword(ctx.scope, ctx.sessionId, input.password);
      return OK;
    }),
  askProof: settingUp
    .output(twoStepSchemas.passkeyProof)
    .mutation(({ ctx }) => ctx.services.auth.ownProof.askPasskey(ctx.scope, ctx.sessionId, ctx.site)),
  provePasskey: settingUp
    .input(twoStepSchemas.passkeyLoginInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownProof.byPasskey(ctx.scope, ctx.sessionId, ctx.site, input);
      return OK;
    }),
  beginTotp: settingUp
    .output(twoStepSchemas.totpSetup)
    .mutation(({ ctx }) => ctx.services.auth.ownTwoStep.beginTotp(ctx.scope, ctx.sessionId)),
  confirmTotp: settingUp
    .input(twoStepSchemas.confirmTotpInput)
    .output(twoStepSchemas.factorAdded)
    .mutation(({ ctx, input }) => ctx.services.auth.ownTwoStep.confirmTotp(ctx.scope, ctx.sessionId, input)),
  removeTotp: settingUp.output(acknowledged).mutation(async ({ ctx }) => {
    await ctx.services.auth.ownTwoStep.removeTotp(ctx.scope, ctx.sessionId);
    return OK;
  }),
  beginPasskey: settingUp
    .output(twoStepSchemas.passkeySetup)
    .mutation(({ ctx }) => ctx.services.auth.ownTwoStep.beginPasskey(ctx.scope, ctx.sessionId, ctx.site)),
  addPasskey: settingUp
    .input(twoStepSchemas.addPasskeyInput)
    .output(twoStepSchemas.factorAdded)
    .mutation(({ ctx, input }) => ctx.services.auth.ownTwoStep.addPasskey(ctx.scope, ctx.sessionId, ctx.site, input)),
  renamePasskey: settingUp
    .input(twoStepSchemas.renamePasskeyInput)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownTwoStep.renamePasskey(ctx.scope, ctx.sessionId, input);
      return OK;
    }),
  removePasskey: settingUp
    .input(twoStepSchemas.passkeyRef)
    .output(acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownTwoStep.removePasskey(ctx.scope, ctx.sessionId, input.id);
      return OK;
    }),
  newRecoveryCodes: settingUp.output(twoStepSchemas.recoveryCodes).mutation(async ({ ctx }) => ({
    recoveryCodes: await ctx.services.auth.ownTwoStep.newRecoveryCodes(ctx.scope, ctx.sessionId),
  })),
});

import * as s from "@innkey/shared/schemas/identity/auth";
import { passkeyChallenge, passkeyLoginInput, secondFactorInput } from "@innkey/shared/schemas/identity/two-step";
import { z } from "zod";
import * as queries from "../../../domain/identity/login/auth.service.ts";
import { saveOwnProfile } from "../../../domain/identity/login/own-account.ts";
import type { SignedIn } from "../../../domain/identity/login/sessions.ts";
import type { RequestContext } from "../context.ts";
import { choosingPassword, inSession, open, router } from "../trpc.ts";

const OK = { ok: true } as const;

/**
 * Stores the new session in the browser. A browser has one session, so any previous one ends, whoever it belonged to.
 */
async function enter(
  { scope, limited, sessionId, services, cookie }: RequestContext,
  { token, deviceToken }: SignedIn,
): Promise<void> {
  const before = scope ?? limited;
  if (before && sessionId) await services.auth.sessions.end(before, sessionId);
  cookie.write(token);
  if (deviceToken !== null) cookie.writeDevice(deviceToken);
}

export const authRouter = router({
  status: open.output(s.authStatus).query(async ({ ctx }) => ({
    setupNeeded: await ctx.services.auth.setup.needed(),
    session: ctx.scope && (await queries.me(ctx.scope)),
    due: s.due.options.find((due) => ctx.sessionEnd === `${due}_due`) ?? null,
  })),
  captcha: open.output(s.captcha).mutation(({ ctx }) => ctx.services.auth.captchas.issue(ctx.visitor.address)),
  login: open
    .input(s.loginInput)
    .output(s.loginOutput)
    .mutation(async ({ ctx, input }) => {
      const first = await ctx.services.auth.login.begin(ctx.visitor, ctx.site, input);
      if (first.next === "second_factor") return { next: first.next, ...first.step };
      await enter(ctx, first.signedIn);
      if (first.due) return { next: "duty" as const, due: first.due };
      return { next: first.next, ...(await queries.me(first.signedIn.scope)) };
    }),
  secondFactor: open
    .input(secondFactorInput)
    .output(s.me)
    .mutation(async ({ ctx, input }) => {
      const signedIn = await ctx.services.auth.secondFactor.answer(ctx.visitor, ctx.site, input);
      await enter(ctx, signedIn);
      return queries.me(signedIn.scope);
    }),
  passkeyChallenge: open
    .output(passkeyChallenge)
    .mutation(({ ctx }) => ctx.services.auth.secondFactor.askPasskey(ctx.visitor, ctx.site)),
  passkeyLogin: open
    .input(passkeyLoginInput)
    .output(s.me)
    .mutation(async ({ ctx, input }) => {
      const signedIn = await ctx.services.auth.secondFactor.logIn(ctx.visitor, ctx.site, input);
      await enter(ctx, signedIn);
      return queries.me(signedIn.scope);
    }),
  logout: open.output(s.acknowledged).mutation(async ({ ctx }) => {
    const scope = ctx.scope ?? ctx.limited;
    if (scope && ctx.sessionId) await ctx.services.auth.sessions.end(scope, ctx.sessionId);
    ctx.cookie.clear();
    return OK;
  }),
  me: inSession.output(s.me).query(({ ctx }) => queries.me(ctx.scope)),
  changePassword: choosingPassword
    .input(s.changePasswordInput)
    .output(s.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.ownPassword.change(ctx.scope, ctx.sessionId, input);
      return OK;
    }),
  saveProfile: inSession
    .input(s.ownProfileInput)
    .output(s.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await saveOwnProfile(ctx.scope, ctx.services.files, input);
      return OK;
    }),
  sendRecoveryCode: open
    .input(s.sendRecoveryCodeInput)
    .output(s.recoverySent)
    .mutation(({ ctx, input }) => ctx.services.auth.recovery.sendCode(ctx.visitor, input)),
  resetPassword: open
    .input(s.resetPasswordInput)
    .output(s.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.recovery.reset(ctx.visitor, input);
      return OK;
    }),
  sessions: inSession
    .output(z.array(s.sessionRow))
    .query(({ ctx }) => ctx.services.auth.sessions.list(ctx.scope, ctx.sessionId)),
  revokeSession: inSession
    .input(s.revokeSessionInput)
    .output(s.acknowledged)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.auth.sessions.revoke(ctx.scope, input.id);
      return OK;
    }),
  switchHotel: inSession
    .input(s.switchHotelInput)
    .output(s.me)
    .mutation(async ({ ctx, input }) => {
      const { scope, sessionId, visitor } = ctx;
      return queries.me(await ctx.services.auth.sessions.switchHotel(scope, sessionId, input.hotelId, visitor));
    }),
});

import * as s from "@innkey/shared/schemas/identity/auth";
import { z } from "zod";
import * as queries from "../../../domain/identity/login/auth.service.ts";
import { call, openCall } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pictureUrl } from "../files.ts";

const { out } = f;
const account = f.name(254, "13800000001");
const graphic = {
  captcha_id: f.name(40, "7b0c5f0e-2f0e-4a53-9d3a-0a6f2f6d6d2b"),
  code: f.name(10, "K7PX"),
};
const passwords = { password: f.name(200, "new secret"), confirm_password: f.name(200, "new secret") };

/** Calls for login, logout and password recovery. */
export const authCalls = [
  openCall("captcha", {
    summary: "A graphic code of four characters, valid for one attempt.",
    input: {},
    output: z.strictObject({
      captcha_id: out.text("7b0c5f0e-2f0e-4a53-9d3a-0a6f2f6d6d2b"),
      image: out.text("data:image/svg+xml;base64,…"),
      expire: out.time(),
    }),
    errors: ["too_many_attempts"],
    async run({ services, visitor }) {
      const { captchaId, image, expiresAt } = await services.auth.captchas.issue(visitor.address);
      return { captcha_id: captchaId, image, expire: f.seconds(expiresAt) };
    },
  }),
  openCall("login", {
    summary:
      "Logs in. After three failures for the account or the address the graphic code is also required; after ten failures for the account from one network within 15 minutes that network must wait. Accounts with two-step login, or whose hotel requires it, are refused. A password that a colleague set, which the console asks its owner to change first, is accepted here.",
    input: {
      mobile: account,
      password: f.name(200, "secret"),
      code: graphic.code.optional(),
      captcha_id: graphic.captcha_id.optional(),
    },
    output: z.strictObject({
      token: out.text("3vJ0…"),
      id: out.id(),
      nickname: out.text("Ann Lee"),
      mobile: out.text("13800000001"),
      email: out.text("ann@hotel.example"),
      avatar: out.text(),
      role: out.choice(["owner", "administrator", "staff"]),
      apiKeyAuth: out.flag(),
      hotel_id: out.id(1),
      hotel_name: out.text("Harbour Hotel"),
      register_time: out.time(),
    }),
    names: { code: "code" },
    errors: [
      "credentials_wrong",
      "captcha_required",
      "captcha_wrong",
      "too_many_attempts",
      "frozen",
      "two_step_needed",
    ],
    async run({ services, visitor, origin }, input) {
      const { mobile, captcha_id: captchaId, ...rest } = input;
      const accepted = s.loginInput.parse({ account: mobile, captchaId, ...rest });
      const { token, scope } = await services.auth.login.logIn(visitor, accepted);
      const me = await queries.me(scope);
      return {
        token,
        id: me.operatorId,
        nickname: me.name,
        mobile: me.mobile ?? "",
        email: me.email ?? "",
        avatar: pictureUrl({ services, scope, origin }, me.avatarUrl),
        role: me.role,
        apiKeyAuth: f.bit(me.apiKeyAuth),
        hotel_id: me.hotel.id,
        hotel_name: me.hotel.name,
        register_time: f.seconds(me.registeredAt),
      };
    },
  }),
  call("logout", {
    summary: "Ends the session.",
    input: {},
    output: f.nothing,
    async run({ services, scope, sessionId }) {
      await services.auth.sessions.end(scope, sessionId);
      return {};
    },
  }),
  call("setting/updatePassword", {
    summary: "Changes the caller's own password; all other sessions end.",
    changes: true,
    input: { old_password: f.name(200, "secret"), ...passwords },
    output: f.nothing,
    names: { password: "password" },
    errors: ["too_many_attempts"],
    async run({ services, scope, sessionId }, { old_password: oldPassword, password, confirm_password }) {
      const accepted = s.changePasswordInput.parse({ oldPassword, password, confirmPassword: confirm_password });
      await services.auth.ownPassword.change(scope, sessionId, accepted);
      return {};
    },
  }),
  openCall("getBack/sendMsg", {
    summary: "Sends a code of six digits by SMS or mail. The answer is the same for an unknown account.",
    input: { mobile: account, ...graphic },
    output: z.strictObject({ expire: out.int(300), resend_after: out.int(60) }),
    names: { code: "code" },
    errors: ["captcha_wrong", "too_many_attempts"],
    async run({ services, visitor }, { mobile, captcha_id: captchaId, code }) {
      const accepted = s.sendRecoveryCodeInput.parse({ account: mobile, captchaId, code });
      const sent = await services.auth.recovery.sendLegacyCode(visitor, accepted);
      return { expire: sent.expiresInSeconds, resend_after: sent.resendAfterSeconds };
    },
  }),
  openCall("getBack/reset", {
    summary:
      "Sets a new password with the code that getBack/sendMsg sent; five wrong attempts invalidate it. A code that the console sent is valid only there.",
    input: { mobile: account, code: f.name(10, "123456"), ...passwords },
    output: f.nothing,
    names: { code: "code" },
    errors: ["code_wrong", "too_many_attempts", "state_conflict"],
    async run({ services, visitor }, { mobile, confirm_password: confirmPassword, ...rest }) {
      await services.auth.recovery.resetLegacy(
        visitor,
        s.legacyResetInput.parse({ account: mobile, confirmPassword, ...rest }),
      );
      return {};
    },
  }),
];

import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { manageClient, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { scopeFactory, secretsOf } from "../../../kernel/scope.ts";
import * as drawing from "./captcha-drawing.ts";
import { resetPasswordOfAccount } from "./own-account.ts";
import { createPasswordHasher } from "./passwords.ts";

const passwords = { password: "new password", confirmPassword: "new password" };

let server: TestServer;
let hotel: TestHotel;
let clerk: TestOperator;
let draw: MockInstance<() => string>;

beforeEach(async () => {
  draw = vi.spyOn(drawing, "randomCaptchaText");
  server = await createTestServer();
  hotel = await server.createHotel();
  clerk = await server.createOperator(hotel, { role: "staff" });
  vi.useFakeTimers({ toFake: ["Date"], now: server.clock.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

function later(milliseconds: number): void {
  server.clock.advance(milliseconds);
  vi.setSystemTime(server.clock.now());
}

async function ask(account: string, browser: Browser = server.visitor()) {
  const { captchaId } = await browser.api.auth.captcha.mutate();
  const code = draw.mock.results.at(-1)?.value as string;
  return browser.api.auth.sendRecoveryCode.mutate({ account, captchaId, code });
}

async function sentCode(account: string): Promise<string> {
  return /\b\d{6}\b/.exec((await server.lastMessage(account)) ?? "")?.[0] ?? "none";
}

const otherThan = (code: string): string => (code === "000000" ? "000001" : "000000");
const reset = (account: string, { handle }: { handle: string }, code: string) =>
  server.visitor().api.auth.resetPassword.mutate({ handle, account, code, ...passwords });
const SENT = { handle: expect.any(String), expiresInSeconds: 300, resendAfterSeconds: 60 };

describe("a recovery code", () => {
  it("is sent by SMS or mail, sets a new password and ends every session", async () => {
    const byMail = await server.createOperator(hotel, { role: "administrator", account: "anna@example.com" });
    for (const operator of [clerk, byMail]) {
      const desk = await server.loginAs(operator);
      const sent = await ask(operator.account);
      expect(sent).toEqual(SENT);
      const message = await server.database.prisma.outgoingMessage.findFirstOrThrow({
        where: { recipient: operator.account },
      });
      expect(message).toMatchObject({ hotelId: hotel.id, channel: operator === byMail ? "mail" : "sms" });
      const code = await sentCode(operator.account);
      later(1);
      await reset(operator.account, sent, code);
      expect(await server.lastMessage(operator.account)).toMatch(/^The password for your Innkey account was changed/);
      expect((await failure(desk.api.auth.me.query())).code).toBe("session_revoked");
      const { account } = operator;
      const visitor = server.visitor();
      expect((await failure(visitor.api.auth.login.mutate({ account, password: TEST_PASSWORD }))).code).toBe(
        "credentials_wrong",
      );
      expect(entered(await visitor.api.auth.login.mutate({ account, password: passwords.password })).operatorId).toBe(
        operator.id,
      );
    }
  });

  it("is valid once", async () => {
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    await reset(clerk.account, sent, code);
    expect((await failure(reset(clerk.account, sent, code))).code).toBe("code_wrong");
  });

  it("is void after five wrong tries, even at the same moment", async () => {
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    await Promise.all(Array.from({ length: 5 }, () => failure(reset(clerk.account, sent, otherThan(code)))));
    expect((await failure(reset(clerk.account, sent, code))).code).toBe("code_wrong");
  });

  it("is still valid after four wrong tries", async () => {
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    for (let tries = 0; tries < 4; tries += 1) await failure(reset(clerk.account, sent, otherThan(code)));
    expect(await reset(clerk.account, sent, code)).toEqual({ ok: true });
  });

  it("is not used up by a stranger who requests another one and guesses", async () => {
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    later(60_001);
    const strangerRequest = await ask(clerk.account, server.visitorFrom("10.9.0.1"));
    const stranger = server.visitorFrom("10.9.0.1");
    for (const handle of [strangerRequest.handle, randomUUID()]) {
      for (let tries = 0; tries < 5; tries += 1) {
        const wrong = { handle, account: clerk.account, code: otherThan(code), ...passwords };
        expect((await failure(stranger.api.auth.resetPassword.mutate(wrong))).code).toBe("code_wrong");
      }
    }
    const withoutIts = { handle: randomUUID(), account: clerk.account, code, ...passwords };
    expect((await failure(stranger.api.auth.resetPassword.mutate(withoutIts))).code).toBe("code_wrong");
    const old = { mobile: clerk.account, password: passwords.password, confirm_password: passwords.confirmPassword };
    const oldClient = manageClient(server.app, { address: "10.9.0.2" });
    for (let tries = 0; tries < 6; tries += 1) await refusalOf(oldClient, "getBack/reset", { ...old, code });
    expect(await reset(clerk.account, sent, code)).toEqual({ ok: true });
  });

  it("expires after five minutes", async () => {
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    later(5 * 60_000);
    expect((await failure(reset(clerk.account, sent, code))).code).toBe("code_wrong");
  });

  it("ends when another one is used, however new it is", async () => {
    const first = await ask(clerk.account);
    const firstCode = await sentCode(clerk.account);
    later(60_001);
    const second = await ask(clerk.account);
    const secondCode = await sentCode(clerk.account);
    await reset(clerk.account, first, firstCode);
    expect((await failure(reset(clerk.account, second, secondCode))).code).toBe("code_wrong");
  });

  it("does not overwrite a password that a colleague sets meanwhile, and stays valid", async () => {
    const ownerDesk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    const { hasher } = server.services.auth;
    const hash = hasher.hash.bind(hasher);
    const { id: operatorId, account } = clerk;
    const hashing = vi.spyOn(hasher, "hash").mockImplementationOnce(async (password) => {
      await ownerDesk.api.staff.save.mutate({ operatorId, name: "Clara", account, role: "staff", ...passwords });
      return hash(password);
    });
    expect((await failure(reset(account, sent, code))).code).toBe("state_conflict");
    hashing.mockRestore();
    expect((await failure(reset(account, sent, code))).fields).toEqual({
      password: { key: "validation.passwordSame" },
    });
    const { passwordSetByOther } = await server.database.prisma.operator.findUniqueOrThrow({
      where: { id: operatorId },
    });
    expect(passwordSetByOther).toBe(true);
  });

  it("is refused for another operator", async () => {
    const other = await server.createOperator(hotel, { role: "staff" });
    const sent = await ask(clerk.account);
    const code = await sentCode(clerk.account);
    expect((await failure(reset(other.account, sent, code))).code).toBe("code_wrong");
  });
});

describe("requesting a code", () => {
  const limit = (kind: string) => ({ key: { startsWith: `${kind}:` } });

  it("gets the same answer for unknown and frozen accounts, which get no message", async () => {
    await server.database.prisma.membership.updateMany({
      where: { operatorId: clerk.id },
      data: { frozenAt: new Date() },
    });
    const member = await server.createOperator(hotel, { role: "staff" });
    const answers = [await ask(member.account), await ask(clerk.account), await ask("13999999999")];
    for (const answer of answers) expect(answer).toEqual(SENT);
    expect(new Set(answers.map(({ handle }) => handle.length)).size).toBe(1);
    expect(await server.database.prisma.outgoingMessage.count()).toBe(1);
    const unknown = answers.at(-1) ?? { handle: "" };
    expect((await failure(reset("13999999999", unknown, "123456"))).code).toBe("code_wrong");
  });

  it("is possible once a minute, for unknown accounts too, and five times an hour", async () => {
    for (const account of [clerk.account, "13999999999"]) {
      await ask(account);
      expect(await failure(ask(account))).toMatchObject({
        code: "too_many_attempts",
        params: { retryAfterSeconds: 60 },
      });
    }
    for (let sent = 1; sent < 5; sent += 1) {
      later(60_001);
      await ask(clerk.account);
    }
    later(60_001);
    expect((await failure(ask(clerk.account))).code).toBe("too_many_attempts");
  });

  it("is possible ten times a day, and a few times more in a known browser", async () => {
    await ask(clerk.account);
    const { rateLimit } = server.database.prisma;
    await rateLimit.deleteMany({ where: limit("recoveryPause") });
    await rateLimit.deleteMany({ where: limit("recoveries") });
    await rateLimit.updateMany({ where: limit("recoveriesOfDay"), data: { points: 10 } });
    expect((await failure(ask(clerk.account))).code).toBe("too_many_attempts");
    const desk = server.visitor();
    await desk.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    await desk.api.auth.logout.mutate();
    await ask(clerk.account, desk);
  });

  it("is not used up for the account's person by strangers in another network", async () => {
    const stranger = server.visitorFrom("10.9.0.1");
    for (const account of [clerk.account, "13999999999"]) {
      for (let sent = 0; sent < 5; sent += 1) {
        await ask(account, stranger);
        later(60_001);
      }
      expect((await failure(ask(account, stranger))).code).toBe("too_many_attempts");
    }
    const sent = await ask(clerk.account, server.visitorFrom("10.9.0.2"));
    expect(await reset(clerk.account, sent, await sentCode(clerk.account))).toEqual({ ok: true });
  });

  it("counts all networks of an IPv6 customer as one", async () => {
    await ask(clerk.account, server.visitorFrom("2001:db8:7:1::1"));
    expect((await failure(ask(clerk.account, server.visitorFrom("2001:db8:7:ffff::1")))).code).toBe(
      "too_many_attempts",
    );
    await ask(clerk.account, server.visitorFrom("2001:db8:8::1"));
  });

  it("stays possible where the account logged in before, even if strangers in many networks used up its requests", async () => {
    const homeVisitor = server.visitorFrom("10.8.0.1");
    await homeVisitor.api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
    const { rateLimit } = server.database.prisma;
    const account = clerk.account;
    await ask(account, server.visitorFrom("10.9.0.1"));
    await rateLimit.updateMany({ where: limit("strangeRecoveriesOfDay"), data: { points: 30 } });
    const messages = () => server.database.prisma.outgoingMessage.count({ where: { recipient: account } });
    const before = await messages();
    expect((await failure(ask(account, server.visitorFrom("10.9.0.2")))).code).toBe("too_many_attempts");
    expect(await messages()).toBe(before);
    later(1);
    const sent = await ask(account, server.visitorFrom("10.8.0.1"));
    expect(await reset(account, sent, await sentCode(account))).toEqual({ ok: true });
  });

  it("from many networks is refused for unknown and known accounts alike", async () => {
    await ask("13999999999", server.visitorFrom("10.9.0.1"));
    const { rateLimit } = server.database.prisma;
    await rateLimit.updateMany({ where: limit("strangeRecoveriesOfDay"), data: { points: 30 } });
    expect((await failure(ask("13999999999", server.visitorFrom("10.9.0.2")))).code).toBe("too_many_attempts");
  });

  it("requires the graphic code", async () => {
    const { captchaId } = await server.visitor().api.auth.captcha.mutate();
    const input = { account: clerk.account, captchaId, code: "????" };
    expect((await failure(server.visitor().api.auth.sendRecoveryCode.mutate(input))).code).toBe("captcha_wrong");
  });
});

describe("without mail and SMS", () => {
  const codes = () => server.database.prisma.recoveryCode.count();
  const outboxTexts = async (owner: TestOperator) =>
    (await (await server.loginAs(owner)).api.outbox.list.query()).rows.map(({ recipient, body }) => [recipient, body]);

  it("an owner's code is shown on no page, so no other owner can use it", async () => {
    const [first, second] = [
      await server.createOperator(hotel, { role: "owner" }),
      await server.createOperator(hotel, { role: "owner" }),
    ];
    expect(await ask(first.account)).toEqual(SENT);
    expect(await codes()).toBe(0);
    const [[recipient, body] = []] = await outboxTexts(second);
    expect(recipient).toBe(first.account);
    expect(body).toContain("reset-password");
    expect(body).not.toMatch(/\d{6}/);
  });

  it("the code of somebody who also works for another hotel is shown on no page", async () => {
    const other = await server.createHotel();
    const administrator = await server.createOperator(other, { role: "administrator" });
    const membership = { hotelId: hotel.id, operatorId: administrator.id, role: "staff" as const };
    await server.database.prisma.membership.create({ data: membership });
    await server.database.prisma.session.updateMany({
      where: { operatorId: administrator.id },
      data: { hotelId: hotel.id },
    });
    await ask(administrator.account);
    expect(await codes()).toBe(0);
    const owners = [hotel, other].map((at) => server.createOperator(at, { role: "owner" }));
    for (const owner of await Promise.all(owners)) {
      expect((await outboxTexts(owner)).filter(([, body]) => /\d{6}/.test(body ?? ""))).toEqual([]);
    }
  });

  it("a shown code is hidden once its operator becomes an owner or works for another hotel", async () => {
    const owner = await server.createOperator(hotel, { role: "owner" });
    await ask(clerk.account);
    const code = await sentCode(clerk.account);
    expect((await outboxTexts(owner))[0]?.[1]).toContain(code);
    const other = await server.createHotel();
    const membership = { hotelId: other.id, operatorId: clerk.id, role: "staff" as const };
    await server.database.prisma.membership.create({ data: membership });
    expect(await outboxTexts(owner)).toEqual([[clerk.account, ""]]);
  });

  it("the server's administrator sets a password that must be replaced", async () => {
    const owner = await server.createOperator(hotel, { role: "owner" });
    const desk = await server.loginAs(owner);
    const { database, clock } = server;
    const openScope = scopeFactory({ database, clock, secrets: secretsOf(server.rootKey) });
    const deps = { database, hasher: createPasswordHasher(), openScope };
    await resetPasswordOfAccount(deps, owner.account, "a long walk by the sea");
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_revoked");
    const { account } = owner;
    const login = await server.visitor().api.auth.login.mutate({ account, password: "a long walk by the sea" });
    expect(login).toMatchObject({ next: "duty", due: "password" });
    await expect(resetPasswordOfAccount(deps, "nobody@hotel.example", "a long walk by the sea")).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(resetPasswordOfAccount(deps, owner.account, "password")).rejects.toMatchObject({
      code: "invalid_input",
    });
    const entry = await server.database.prisma.auditEntry.findFirst({ where: { requestId: "reset-password" } });
    expect(entry).toMatchObject({ hotelId: hotel.id, entityId: String(owner.id), action: "password.reset" });
  });
});

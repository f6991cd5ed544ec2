import { randomUUID } from "node:crypto";
import type { PasskeyRequest } from "@innkey/shared/schemas/identity/two-step";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { codeAt, createAuthenticator } from "../../../../test/harness/authenticator.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { firstStep, STEP_MS, withApp, withPasskey } from "../../../../test/harness/two-step.ts";

let server: TestServer;
let hotel: TestHotel;
let clerk: TestOperator;
let desk: Browser;

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
  desk = await server.loginAs(clerk);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function refusals(): Promise<unknown[]> {
  await server.services.auth.settled();
  const rows = await server.database.prisma.auditEntry.findMany({
    where: { action: "session.refuse" },
    orderBy: { seq: "asc" },
  });
  return rows.map(({ after }) => (after as { reason: string }).reason);
}

async function sessionCount(): Promise<number> {
  return server.database.prisma.session.count({ where: { operatorId: clerk.id } });
}

describe("an authenticator app", () => {
  it("is required after the password, and there is no session before it", async () => {
    const { secret } = await withApp(server, desk);
    const before = await sessionCount();
    const visitor = server.visitor();
    const { challenge, methods, passkey } = await firstStep(visitor, clerk.account);
    expect({ methods, passkey }).toEqual({ methods: ["totp", "recovery_code"], passkey: null });
    expect(visitor.cookie).toBeUndefined();
    expect(await sessionCount()).toBe(before);
    const code = codeAt(secret, server.clock.now());
    const me = await visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "totp", code } });
    expect(me.operatorId).toBe(clerk.id);
    expect(await visitor.api.auth.me.query()).toEqual(me);
    const login = await server.database.prisma.auditEntry.findFirst({
      where: { action: "session.login", actorId: clerk.id },
      orderBy: { seq: "desc" },
    });
    expect(login?.after).toEqual({ factor: "totp" });
  });

  it("accepts the code of the previous and next step, with a space, and no older one", async () => {
    const { secret } = await withApp(server, desk);
    server.clock.advance(10 * STEP_MS);
    const answer = async (steps: number) => {
      const visitor = server.visitor();
      const { challenge } = await firstStep(visitor, clerk.account);
      const shownCode = codeAt(secret, new Date(server.clock.now().getTime() + steps * STEP_MS));
      const code = `${shownCode.slice(0, 3)} ${shownCode.slice(3)}`;
      return visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "totp", code } });
    };
    expect((await failure(answer(-2))).code).toBe("code_wrong");
    expect((await failure(answer(2))).code).toBe("code_wrong");
    expect((await answer(-1)).operatorId).toBe(clerk.id);
    expect((await answer(1)).operatorId).toBe(clerk.id);
  });

  it("never accepts a code twice, nor an older one than the last", async () => {
    const { secret } = await withApp(server, desk);
    server.clock.advance(STEP_MS);
    const use = async (at: Date) => {
      const visitor = server.visitor();
      const { challenge } = await firstStep(visitor, clerk.account);
      return visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "totp", code: codeAt(secret, at) } });
    };
    const now = server.clock.now();
    expect((await use(now)).operatorId).toBe(clerk.id);
    expect((await failure(use(now))).code).toBe("code_wrong");
    expect((await failure(use(new Date(now.getTime() - STEP_MS)))).code).toBe("code_wrong");
    expect(await refusals()).toEqual(["totp_wrong", "totp_wrong"]);
  });

  it("admits one of several simultaneous logins with the same code", async () => {
    const { secret } = await withApp(server, desk);
    const visitors = [server.visitor(), server.visitor(), server.visitor()];
    const steps = await Promise.all(visitors.map((visitor) => firstStep(visitor, clerk.account)));
    const code = codeAt(secret, server.clock.now());
    const answers = await Promise.allSettled(
      visitors.map((visitor, index) =>
        visitor.api.auth.secondFactor.mutate({
          challenge: steps[index]?.challenge ?? "",
          proof: { method: "totp", code },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("treats the code that confirmed it as used", async () => {
    const { challenge, secret } = await desk.api.twoStep.beginTotp.mutate();
    const code = codeAt(secret, server.clock.now());
    await desk.api.twoStep.confirmTotp.mutate({ challenge, code });
    const visitor = server.visitor();
    const step = await firstStep(visitor, clerk.account);
    const again = visitor.api.auth.secondFactor.mutate({ challenge: step.challenge, proof: { method: "totp", code } });
    expect((await failure(again)).code).toBe("code_wrong");
  });

  it("is limited to twenty wrong codes a day from anywhere, while a recovery code still works", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: server.clock.now() });
    const { secret, recoveryCodes } = await withApp(server, desk);
    const code = wrongCode(codeAt(secret, server.clock.now()));
    for (let round = 0; round < 4; round += 1) {
      const visitor = server.visitorFrom(`10.1.${round}.1`);
      const { challenge } = await firstStep(visitor, clerk.account);
      for (let tries = 0; tries < 5; tries += 1) {
        await failure(visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "totp", code } }));
      }
    }
    const visitor = server.visitorFrom("10.9.9.9");
    const { challenge } = await firstStep(visitor, clerk.account);
    const right = { method: "totp", code: codeAt(secret, server.clock.now()) } as const;
    expect((await failure(visitor.api.auth.secondFactor.mutate({ challenge, proof: right }))).code).toBe(
      "too_many_attempts",
    );
    const [spare = ""] = recoveryCodes;
    const proof = { method: "recovery_code", code: spare } as const;
    expect((await visitor.api.auth.secondFactor.mutate({ challenge, proof })).operatorId).toBe(clerk.id);
  });
});

describe("a login in progress", () => {
  it("ends for good after five wrong codes, and says so with the fifth", async () => {
    const { secret } = await withApp(server, desk);
    const visitor = server.visitor();
    const { challenge } = await firstStep(visitor, clerk.account);
    const right = codeAt(secret, server.clock.now());
    const answer = (code: string) =>
      visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "totp", code } });
    const codes: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) codes.push((await failure(answer(wrongCode(right)))).code);
    expect(codes).toEqual([...Array(4).fill("code_wrong"), "challenge_gone"]);
    expect((await failure(answer(right))).code).toBe("challenge_gone");
    expect(await refusals()).toEqual(Array(5).fill("totp_wrong"));
  });

  it("ends after five minutes, after its use, and with a new password", async () => {
    const { secret, recoveryCodes } = await withApp(server, desk);
    const [spare = ""] = recoveryCodes;
    const proof = { method: "recovery_code", code: spare } as const;
    const late = await firstStep(server.visitor(), clerk.account);
    const step = await firstStep(server.visitor(), clerk.account);
    const visitor = server.visitor();
    const used = await firstStep(visitor, clerk.account);
    const code = codeAt(secret, server.clock.now());
    await visitor.api.auth.secondFactor.mutate({ challenge: used.challenge, proof: { method: "totp", code } });
    const isExpired = async (challenge: string) =>
      (await failure(server.visitor().api.auth.secondFactor.mutate({ challenge, proof }))).code;
    expect(await isExpired(used.challenge)).toBe("challenge_gone");
    const passwords = { password: "new password", confirmPassword: "new password" };
    await desk.api.auth.changePassword.mutate({ oldPassword: TEST_PASSWORD, ...passwords });
    expect(await isExpired(step.challenge)).toBe("challenge_gone");
    server.clock.advance(5 * 60_000 + 1);
    expect(await isExpired(late.challenge)).toBe("challenge_gone");
    expect(await isExpired(randomUUID())).toBe("challenge_gone");
  });

  it("belongs to one account, and another account's code does not end it", async () => {
    await withApp(server, desk);
    const other = await server.createOperator(hotel, { role: "staff" });
    const { secret, recoveryCodes } = await withApp(server, await server.loginAs(other));
    const visitor = server.visitor();
    const { challenge } = await firstStep(visitor, clerk.account);
    const code = codeAt(secret, server.clock.now());
    const [spare = ""] = recoveryCodes;
    for (const proof of [
      { method: "totp", code },
      { method: "recovery_code", code: spare },
    ] as const) {
      expect((await failure(visitor.api.auth.secondFactor.mutate({ challenge, proof }))).code).toBe("code_wrong");
    }
  });

  it("has one purpose: the challenge of a set-up or a passkey opens nothing", async () => {
    const { secret } = await withApp(server, desk);
    const setup = await desk.api.twoStep.beginTotp.mutate();
    const { challenge } = await server.visitor().api.auth.passkeyChallenge.mutate();
    const proof = { method: "totp", code: codeAt(secret, server.clock.now()) } as const;
    for (const id of [setup.challenge, challenge]) {
      const answer = server.visitor().api.auth.secondFactor.mutate({ challenge: id, proof });
      expect((await failure(answer)).code).toBe("challenge_gone");
    }
  });

  it("ends for somebody who is frozen meanwhile", async () => {
    const { secret } = await withApp(server, desk);
    const visitor = server.visitor();
    const { challenge } = await firstStep(visitor, clerk.account);
    await server.database.prisma.membership.updateMany({ data: { frozenAt: server.clock.now() } });
    const proof = { method: "totp", code: codeAt(secret, server.clock.now()) } as const;
    expect((await failure(visitor.api.auth.secondFactor.mutate({ challenge, proof }))).code).toBe("frozen");
  });
});

describe("a recovery code", () => {
  it("admits once, however it is typed", async () => {
    const { recoveryCodes } = await withApp(server, desk);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = ""] = recoveryCodes;
    const use = async (code: string) => {
      const visitor = server.visitor();
      const { challenge } = await firstStep(visitor, clerk.account);
      return visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "recovery_code", code } });
    };
    expect((await use(` ${first.toUpperCase().replaceAll("-", " ")}`)).operatorId).toBe(clerk.id);
    expect((await failure(use(first))).code).toBe("code_wrong");
    expect((await desk.api.twoStep.state.query()).recoveryCodesLeft).toBe(9);
    const stored = await server.database.prisma.secondFactorCode.findMany();
    expect(JSON.stringify(stored)).not.toContain(first.replaceAll("-", ""));
  });
});

describe("a passkey", () => {
  it("is the second step on its own site, requested by name", async () => {
    const key = await withPasskey(desk);
    const visitor = server.visitor();
    const { challenge, methods, passkey } = await firstStep(visitor, clerk.account);
    expect(methods).toEqual(["passkey", "recovery_code"]);
    expect(passkey?.allowCredentials).toEqual([{ id: key.credentialId, type: "public-key", transports: ["internal"] }]);
    const assertion = key.get(passkey as PasskeyRequest);
    const me = await visitor.api.auth.secondFactor.mutate({ challenge, proof: { method: "passkey", assertion } });
    expect(me.operatorId).toBe(clerk.id);
    const [row] = (await desk.api.twoStep.state.query()).passkeys;
    expect(row).toMatchObject({ name: "Key", host: "localhost", here: true, lastUsedAt: expect.any(String) });
  });

  it("logs in on its own, and is recorded as such", async () => {
    const key = await withPasskey(desk);
    const visitor = server.visitor();
    const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
    expect(passkey.allowCredentials).toBeUndefined();
    const me = await visitor.api.auth.passkeyLogin.mutate({ challenge, assertion: key.get(passkey) });
    expect(me.operatorId).toBe(clerk.id);
    expect(await visitor.api.auth.me.query()).toEqual(me);
  });

  it("is refused for a wrong site, challenge, type or holder, and without user verification", async () => {
    const key = await withPasskey(desk);
    const tamperings = [
      { origin: "http://evil.localhost" },
      { origin: "https://localhost" },
      { rpId: "evil.localhost" },
      { challenge: "AAAA" },
      { type: "webauthn.create" },
      { verified: false },
      { userHandle: "AAAA" },
    ];
    for (const [index, tampering] of tamperings.entries()) {
      const visitor = server.visitorFrom(`10.0.${index}.1`);
      const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
      const alone = visitor.api.auth.passkeyLogin.mutate({ challenge, assertion: key.get(passkey, tampering) });
      expect((await failure(alone)).code, JSON.stringify(tampering)).toBe("passkey_wrong");
      const step = await firstStep(visitor, clerk.account);
      const assertion = key.get(step.passkey as PasskeyRequest, tampering);
      const second = visitor.api.auth.secondFactor.mutate({
        challenge: step.challenge,
        proof: { method: "passkey", assertion },
      });
      expect((await failure(second)).code, JSON.stringify(tampering)).toBe("passkey_wrong");
    }
    expect(new Set(await refusals())).toEqual(new Set(["passkey_wrong"]));
  });

  it("is refused with another key's signature, and with a forged one", async () => {
    await withPasskey(desk);
    const other = await server.createOperator(hotel, { role: "staff" });
    const foreign = await withPasskey(await server.loginAs(other));
    const step = await firstStep(server.visitor(), clerk.account);
    const assertion = foreign.get(step.passkey as PasskeyRequest);
    const visitor = server.visitor();
    const answer = (proof: { method: "passkey"; assertion: typeof assertion }) =>
      visitor.api.auth.secondFactor.mutate({ challenge: step.challenge, proof });
    expect((await failure(answer({ method: "passkey", assertion }))).code).toBe("passkey_wrong");
    const forged = { ...assertion, id: step.passkey?.allowCredentials?.[0]?.id ?? "" };
    const mismatched = { ...forged, rawId: forged.id };
    expect((await failure(answer({ method: "passkey", assertion: mismatched }))).code).toBe("passkey_wrong");
  });

  it("accepts no answer twice, neither for the same challenge nor for another", async () => {
    const key = await withPasskey(desk);
    const visitor = server.visitor();
    const first = await visitor.api.auth.passkeyChallenge.mutate();
    const assertion = key.get(first.passkey);
    await visitor.api.auth.passkeyLogin.mutate({ challenge: first.challenge, assertion });
    const again = visitor.api.auth.passkeyLogin.mutate({ challenge: first.challenge, assertion });
    expect((await failure(again)).code).toBe("challenge_gone");
    const second = await visitor.api.auth.passkeyChallenge.mutate();
    const replayed = visitor.api.auth.passkeyLogin.mutate({ challenge: second.challenge, assertion });
    expect((await failure(replayed)).code).toBe("passkey_wrong");
  });

  it("is refused once its counter goes back or stops, because it was copied", async () => {
    const key = await withPasskey(desk);
    const log = async (counter: number) => {
      const visitor = server.visitor();
      const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
      return visitor.api.auth.passkeyLogin.mutate({ challenge, assertion: key.get(passkey, { counter }) });
    };
    expect((await log(7)).operatorId).toBe(clerk.id);
    for (const counter of [7, 6, 0]) expect((await failure(log(counter))).code).toBe("passkey_wrong");
    expect((await log(8)).operatorId).toBe(clerk.id);
  });

  it("may have no counter at all", async () => {
    const key = await withPasskey(desk);
    for (let times = 0; times < 2; times += 1) {
      const visitor = server.visitor();
      const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
      const answer = { challenge, assertion: key.get(passkey, { counter: 0 }) };
      expect((await visitor.api.auth.passkeyLogin.mutate(answer)).operatorId).toBe(clerk.id);
    }
  });

  it("that is unknown, removed, or owned by somebody frozen is refused", async () => {
    const key = await withPasskey(desk);
    const ask = async (by: typeof key) => {
      const visitor = server.visitor();
      const { challenge, passkey } = await visitor.api.auth.passkeyChallenge.mutate();
      return failure(visitor.api.auth.passkeyLogin.mutate({ challenge, assertion: by.get(passkey) }));
    };
    const unknown = await ask(createAuthenticator());
    expect(unknown.code).toBe("passkey_wrong");
    await server.database.prisma.membership.updateMany({ data: { frozenAt: server.clock.now() } });
    expect((await ask(key)).code).toBe("frozen");
    await server.database.prisma.membership.updateMany({ data: { frozenAt: null } });
    await server.database.prisma.operatorPasskey.deleteMany();
    expect({ ...(await ask(key)), requestId: "" }).toEqual({ ...unknown, requestId: "" });
  });

  it("is offered only where browsers support it", async () => {
    await withPasskey(desk);
    const { recoveryCodesLeft } = await desk.api.twoStep.state.query();
    expect(recoveryCodesLeft).toBe(10);
    const at = async (origin: string) => {
      const { host } = new URL(origin);
      const headers = { host, origin, "content-type": "application/json" };
      const visitor = server.visitor();
      const payload = JSON.stringify({ account: clerk.account, password: TEST_PASSWORD });
      const login = await visitor.http("POST", "/api/trpc/auth.login", { headers, payload });
      const response = await visitor.http("POST", "/api/trpc/auth.passkeyChallenge", { headers });
      const { result } = login.json<{ result: { data: { methods: string[] } } }>();
      return { methods: result.data.methods, status: response.statusCode };
    };
    expect(await at("http://localhost")).toEqual({ methods: ["passkey", "recovery_code"], status: 200 });
    expect(await at("https://desk.example")).toEqual({ methods: ["recovery_code"], status: 200 });
    for (const origin of ["http://desk.example", "http://192.168.1.5:3000", "https://192.168.1.5", "http://[::1]"]) {
      expect(await at(origin), origin).toEqual({ methods: ["recovery_code"], status: 404 });
    }
  });
});

it("requires the second factor after a password recovery too", async () => {
  const { secret } = await withApp(server, desk);
  const draw = vi.spyOn(await import("../login/captcha-drawing.ts"), "randomCaptchaText");
  const visitor = server.visitor();
  const { captchaId } = await visitor.api.auth.captcha.mutate();
  const graphic = draw.mock.results.at(-1)?.value as string;
  const form = { account: clerk.account, captchaId, code: graphic };
  const { handle } = await visitor.api.auth.sendRecoveryCode.mutate(form);
  const code = /\d{6}/.exec((await server.lastMessage(clerk.account)) ?? "")?.[0] ?? "";
  const passwords = { password: "new password", confirmPassword: "new password" };
  await visitor.api.auth.resetPassword.mutate({ handle, account: clerk.account, code, ...passwords });
  const { challenge } = await firstStep(visitor, clerk.account, "new password");
  const proof = { method: "totp", code: codeAt(secret, server.clock.now()) } as const;
  expect((await visitor.api.auth.secondFactor.mutate({ challenge, proof })).operatorId).toBe(clerk.id);
});

it("does not affect operators without a second factor", async () => {
  const answer = await server.visitor().api.auth.login.mutate({ account: clerk.account, password: TEST_PASSWORD });
  expect(entered(answer).operatorId).toBe(clerk.id);
});

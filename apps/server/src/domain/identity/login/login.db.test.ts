import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatewayProgram } from "../../../../test/clients/gateway-client.ts";
import { manageClient } from "../../../../test/clients/manage-client.ts";
import { type Browser, solved, unsolved } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";
import { CAPTCHA_ALPHABET } from "./captcha-drawing.ts";
import { bitsAfter } from "./proof-of-work.ts";

const VISITOR = { address: "127.0.0.1", userAgent: "test", language: "en", requestId: "test" } as const;

let server: TestServer;
let hotel: TestHotel;
let clerk: TestOperator;

beforeEach(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const logIn = (
  browser: Browser,
  account: string,
  password: string,
  answer: { captchaId?: string; code?: string } = {},
) => browser.api.auth.login.mutate({ account, password, ...answer }).then(entered);

async function failTimes(times: number, account: string, browser = server.visitor()): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect((await failure(logIn(browser, account, "wrong password"))).code).toBe("credentials_wrong");
  }
}

async function failWithPicture(times: number, account: string, browser: Browser): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const answer = await solvedCaptcha(browser);
    expect((await failure(logIn(browser, account, "wrong password", answer))).code).toBe("credentials_wrong");
  }
}

/** Requests a captcha and reads its text by spying on the function that creates it. */
async function solvedCaptcha(browser: Browser): Promise<{ captchaId: string; code: string }> {
  const draw = vi.spyOn(await import("./captcha-drawing.ts"), "randomCaptchaText");
  const { captchaId } = await browser.api.auth.captcha.mutate();
  const code = draw.mock.results.at(-1)?.value as string;
  return { captchaId, code };
}

const captchaFrom = (address: string) => server.visitorFrom(address).api.auth.captcha.mutate();
const passkeyLoginFrom = (address: string) => server.visitorFrom(address).api.auth.passkeyChallenge.mutate();

it.each([
  ["smallSiteCaptchas", captchaFrom, 1_200, "2001:db8:a:2::1", "2001:db8:a:ff02::1"],
  ["largeSiteCaptchas", captchaFrom, 2_400, "2001:db8:a:ff02::1", "2001:db8:b:2::1"],
  ["smallSiteChallenges", passkeyLoginFrom, 1_200, "2001:db8:a:2::1", "2001:db8:a:ff02::1"],
  ["largeSiteChallenges", passkeyLoginFrom, 2_400, "2001:db8:a:ff02::1", "2001:db8:b:2::1"],
] as const)(
  "graphic codes and passkey logins are limited for wider IPv6 networks too: %s",
  async (counter, ask, most, inside, outside) => {
    await ask("2001:db8:a:1::1");
    const { rowCount } = await server.database.pool.query("UPDATE rate_limit SET points = $2 WHERE key LIKE $1", [
      `${counter}:%`,
      most,
    ]);
    expect(rowCount).toBe(1);
    expect((await failure(ask(inside))).code).toBe("too_many_attempts");
    await expect(ask(outside)).resolves.toBeDefined();
  },
);

describe("logging in", () => {
  it("returns the operator, their hotel and their permissions", async () => {
    const browser = server.visitor();
    const me = await logIn(browser, clerk.account, TEST_PASSWORD);
    expect(me).toMatchObject({
      operatorId: clerk.id,
      role: "staff",
      capabilities: ["rooms.view"],
      hotel: { id: hotel.id },
    });
    expect(await browser.api.auth.me.query()).toEqual(me);
    expect((await browser.api.auth.status.query()).session).toEqual(me);
  });

  it("accepts e-mail in any case and phone numbers with spaces", async () => {
    const owner = await server.createOperator(hotel, { role: "owner", account: "olga@example.com" });
    expect((await logIn(server.visitor(), " Olga@Example.com ", TEST_PASSWORD)).operatorId).toBe(owner.id);
    const spaced = clerk.account.replace(/^(\d{3})(\d{4})/, "$1 $2-");
    expect((await logIn(server.visitor(), spaced, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("gives the same answer for a wrong password and an unknown account", async () => {
    const wrong = await failure(logIn(server.visitor(), clerk.account, "wrong password"));
    const unknown = await failure(logIn(server.visitor(), "13999999999", TEST_PASSWORD));
    expect({ ...wrong, requestId: "" }).toEqual({ ...unknown, requestId: "" });
    expect(wrong.code).toBe("credentials_wrong");
  });

  it("reports a frozen account only after the right password", async () => {
    await server.database.prisma.membership.updateMany({ data: { frozenAt: server.clock.now() } });
    expect((await failure(logIn(server.visitor(), clerk.account, "wrong password"))).code).toBe("credentials_wrong");
    expect((await failure(logIn(server.visitor(), clerk.account, TEST_PASSWORD))).code).toBe("frozen");
  });

  it("is recorded, also when refused, with the account masked", async () => {
    await logIn(server.visitor(), clerk.account, TEST_PASSWORD);
    await failTimes(1, clerk.account);
    await server.services.auth.settled();
    const rows = await server.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ action, actorId, after }) => ({ action, actorId, after }))).toEqual([
      { action: "session.login", actorId: clerk.id, after: null },
      {
        action: "session.refuse",
        actorId: null,
        after: { account: `${clerk.account.slice(0, 3)}****${clerk.account.slice(-4)}`, reason: "credentials_wrong" },
      },
    ]);
  });
});

describe("the browser's proof of work", () => {
  const send = (work?: { challenge: string; answer: string }, account = clerk.account) =>
    server.visitorFrom("10.5.0.2").http("POST", "/api/trpc/auth.login", {
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ account, password: "wrong password", ...captcha, work }),
    });
  const refusalOf = async (answer: ReturnType<typeof send>) => (await answer).json().error.data.innkey;
  let captcha: { captchaId: string; code: string };

  beforeEach(async () => {
    await failTimes(3, clerk.account, server.visitorFrom("10.5.0.1"));
    captcha = await solvedCaptcha(server.visitor());
  });

  it("is required after three failures of the account, and leaves the graphic code unused until it is done", async () => {
    const { code, params } = await refusalOf(send());
    expect([code, params.bits]).toEqual(["work_required", 6]);
    const lazy = unsolved(params);
    expect((await refusalOf(send(lazy))).code).toBe("work_required");
    expect((await refusalOf(send(solved(params)))).code).toBe("credentials_wrong");
  });

  it("is valid once, for its account and its difficulty, for five minutes", async () => {
    const { params } = await refusalOf(send());
    const other = await server.createOperator(hotel, { role: "staff" });
    await failTimes(3, other.account, server.visitorFrom("10.5.0.3"));
    expect((await refusalOf(send(solved(params), other.account))).code).toBe("work_required");
    const [expiresAt, , ...rest] = params.challenge.split(".");
    const easier = { challenge: [expiresAt, 1, ...rest].join("."), bits: 1 };
    expect((await refusalOf(send(solved(easier)))).code).toBe("work_required");
    const solution = solved(params);
    expect((await refusalOf(send(solution))).code).toBe("credentials_wrong");
    captcha = await solvedCaptcha(server.visitor());
    expect((await refusalOf(send(solution))).code).toBe("work_required");
    const late = solved((await refusalOf(send())).params);
    server.clock.advance(5 * 60_000);
    expect((await refusalOf(send(late))).code).toBe("work_required");
  });

  it("is refused when the difficulty has increased since the task was issued", async () => {
    const early = solved((await refusalOf(send())).params);
    for (let network = 0; network < 4; network += 1) {
      await failWithPicture(1, clerk.account, server.visitorFrom(`10.5.1.${network}`));
    }
    const { code, params } = await refusalOf(send(early));
    expect([code, params.bits]).toEqual(["work_required", 7]);
    expect((await refusalOf(send(solved(params)))).code).toBe("credentials_wrong");
  });

  it("is issued 120 times in five minutes to one network", async () => {
    await refusalOf(send());
    const key = { startsWith: "tasks:" };
    await server.database.prisma.rateLimit.updateMany({ where: { key }, data: { points: 120 } });
    expect((await refusalOf(send())).code).toBe("too_many_attempts");
  });

  it("doubles when failures double, up to a maximum", () => {
    expect([3, 5, 6, 12, 24, 1_000_000].map((failures) => bitsAfter(failures, 3))).toEqual([16, 16, 17, 18, 19, 22]);
  });
});

describe("a browser in which the account has logged in before", () => {
  const logInDirectly = async (browser: Browser) => logIn(browser, clerk.account, TEST_PASSWORD);
  async function hammer(address: string): Promise<void> {
    const guesser = server.visitorFrom(address);
    for (let failures = 0; failures < 10; failures += 1) {
      await failure(logIn(guesser, clerk.account, "wrong password", await solvedCaptcha(guesser)));
    }
    expect((await failure(logIn(guesser, clerk.account, TEST_PASSWORD))).code).toBe("too_many_attempts");
  }

  it("logs its operator in without graphic code and work, while others try elsewhere and in the same network", async () => {
    const desk = server.visitor();
    await logInDirectly(desk);
    await desk.api.auth.logout.mutate();
    await hammer("127.0.0.1");
    await hammer("10.6.0.1");
    expect((await logInDirectly(desk)).operatorId).toBe(clerk.id);
  });

  it("has ten tries of its own, for that account only", async () => {
    const desk = server.visitor();
    await logInDirectly(desk);
    const other = await server.createOperator(hotel, { role: "staff" });
    await failTimes(3, other.account, desk);
    expect((await failure(logIn(desk, other.account, TEST_PASSWORD))).code, "not known for another account").toBe(
      "captcha_required",
    );
    await failTimes(3, clerk.account, desk);
    for (let failures = 3; failures < 10; failures += 1) {
      await failure(logIn(desk, clerk.account, "wrong password", await solvedCaptcha(desk)));
    }
    expect((await failure(logInDirectly(desk))).code, "afterwards like any other browser").toBe("captcha_required");
    expect((await logIn(desk, clerk.account, TEST_PASSWORD, await solvedCaptcha(desk))).operatorId).toBe(clerk.id);
    expect((await logInDirectly(desk)).operatorId, "known again").toBe(clerk.id);
  });

  it("is forgotten with its session, with a new password, and for an invented cookie", async () => {
    const [desk, phone] = [server.visitor(), server.visitor()];
    await logInDirectly(desk);
    await logInDirectly(phone);
    const [{ id } = { id: "" }] = (await phone.api.auth.sessions.query()).filter(({ current }) => !current);
    await phone.api.auth.revokeSession.mutate({ id });
    await hammer("127.0.0.1");
    expect((await failure(logInDirectly(desk))).code).toBe("too_many_attempts");
    expect((await logInDirectly(phone)).operatorId).toBe(clerk.id);
    // The last login reset the earlier failures from this network.
    await hammer("127.0.0.1");
    const { device } = phone;
    phone.device = `${device?.slice(0, -4)}AAAA`;
    expect((await failure(logInDirectly(phone))).code).toBe("too_many_attempts");
    phone.device = device;
    await server.database.prisma.knownDevice.deleteMany({ where: { operatorId: { not: clerk.id } } });
    const password = "another long sentence";
    const elsewhere = server.visitorFrom("10.6.0.9");
    await logIn(elsewhere, clerk.account, TEST_PASSWORD, await solvedCaptcha(elsewhere));
    const change = { oldPassword: TEST_PASSWORD, password, confirmPassword: password };
    await elsewhere.api.auth.changePassword.mutate(change);
    expect((await failure(logIn(phone, clerk.account, password))).code).toBe("too_many_attempts");
    expect(await server.database.prisma.knownDevice.count({ where: { operatorId: clerk.id } })).toBe(1);
  });

  it("has a cookie that scripts cannot read, that survives sign-out and opens nothing", async () => {
    const desk = server.visitor();
    const answer = await desk.http("POST", "/api/trpc/auth.login", {
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ account: clerk.account, password: TEST_PASSWORD }),
    });
    const cookies = [answer.headers["set-cookie"]].flat().join("\n");
    expect(cookies).toMatch(/innkey_device=[\w-]+; Max-Age=15552000; Path=\/api\/; HttpOnly; SameSite=Strict/);
    await desk.api.auth.logout.mutate();
    expect(desk.device).toBeDefined();
    desk.cookie = desk.device;
    expect((await failure(desk.api.auth.me.query())).code).toBe("session_revoked");
  });
});

it("is limited to 240 logins of an operator an hour, so that nobody fills the audit log", async () => {
  const { auth } = server.services;
  const login = () =>
    auth.login.logIn({ ...VISITOR, channel: "gateway" }, { account: clerk.account, password: TEST_PASSWORD });
  await login();
  await server.database.prisma.rateLimit.updateMany({
    where: { key: { startsWith: "logins:" } },
    data: { points: 240 },
  });
  await expect(login()).rejects.toMatchObject({ code: "too_many_attempts" });
});

it("records 200 refused logins of an account a day", async () => {
  await failTimes(1, clerk.account);
  await server.services.auth.settled();
  const count = () => server.database.prisma.auditEntry.count({ where: { action: "session.refuse" } });
  expect(await count()).toBe(1);
  const key = { startsWith: "refusedLogins:" };
  await server.database.prisma.rateLimit.updateMany({ where: { key }, data: { points: 200 } });
  await failTimes(1, clerk.account);
  await server.services.auth.settled();
  expect(await count()).toBe(1);
});

describe("the graphic code", () => {
  it("is required after three failures of the account, and admits once it is answered", async () => {
    await failTimes(3, clerk.account);
    const browser = server.visitorFrom("10.0.0.9");
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD))).code).toBe("captcha_required");
    const answer = await solvedCaptcha(browser);
    expect(
      (await logIn(browser, clerk.account, TEST_PASSWORD, { ...answer, code: answer.code.toLowerCase() })).operatorId,
    ).toBe(clerk.id);
    expect((await logIn(browser, clerk.account, TEST_PASSWORD)).operatorId, "failures are reset").toBe(clerk.id);
  });

  it("is required after three failures of the address, whatever the accounts", async () => {
    const browser = server.visitorFrom("10.0.0.7");
    for (const account of ["13999999991", "13999999992", "13999999993"]) await failTimes(1, account, browser);
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD))).code).toBe("captcha_required");
    expect((await logIn(server.visitorFrom("10.0.0.8"), clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("is required even if a visitor invents forwarded addresses", async () => {
    const unknown = ["13999999991", "13999999992", "13999999993"];
    for (const [n, account] of unknown.entries()) {
      await failTimes(1, account, server.visitorFrom(`10.0.${n}.1, 10.0.0.7`));
      await failTimes(1, account, server.visitorFrom(`2001:db8:1:2::${n}`));
    }
    for (const address of ["10.9.9.9, 10.0.0.7", "2001:db8:1:2:ffff::1"]) {
      const browser = server.visitorFrom(address);
      expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD))).code).toBe("captcha_required");
    }
  });

  it("is valid for one try, for its own answer, for five minutes", async () => {
    await failTimes(3, clerk.account);
    const browser = server.visitor();
    const first = await solvedCaptcha(browser);
    const wrong = [...first.code].map((letter) => CAPTCHA_ALPHABET.replace(letter, "")[0]).join("");
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD, { ...first, code: wrong }))).code).toBe(
      "captcha_wrong",
    );
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD, first))).code, "used up").toBe("captcha_wrong");
    const late = await solvedCaptcha(browser);
    server.clock.advance(5 * 60_000 + 1);
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD, late))).code).toBe("captcha_wrong");
  });

  it("is a picture that contains no text", async () => {
    const { image } = await server.visitor().api.auth.captcha.mutate();
    const svg = Buffer.from(image.replace("data:image/svg+xml;base64,", ""), "base64").toString();
    expect(svg).toMatch(/^<svg [^>]*>(<rect [^>]*>)?<g [^>]*>(<path [^>]*\/>)+<\/g><\/svg>$/);
  });
});

it("always requires the graphic code where that is set", async () => {
  const strict = await createTestServer({ captchaAlways: true });
  try {
    const owner = await strict.createOperator(await strict.createHotel(), { role: "owner" });
    expect((await failure(logIn(strict.visitor(), owner.account, TEST_PASSWORD))).code).toBe("captcha_required");
  } finally {
    await strict.close();
  }
});

describe("login limits", () => {
  it("block an account for one network for a quarter of an hour after ten failures, whether it exists or not", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: server.clock.now() });
    for (const account of [clerk.account, "13999999999"]) {
      const guesser = server.visitorFrom("10.1.0.1");
      for (let failures = 0; failures < 10; failures += 1) {
        const answer = await solvedCaptcha(guesser);
        expect((await failure(logIn(guesser, account, "wrong password", answer))).code).toBe("credentials_wrong");
      }
      const shut = await failure(logIn(guesser, account, TEST_PASSWORD));
      expect(shut).toMatchObject({ code: "too_many_attempts", params: { retryAfterSeconds: 900 } });
    }
    const elsewhere = server.visitorFrom("10.9.9.9");
    expect((await logIn(elsewhere, clerk.account, TEST_PASSWORD, await solvedCaptcha(elsewhere))).operatorId).toBe(
      clerk.id,
    );
    vi.setSystemTime(server.clock.now().getTime() + 15 * 60_000 + 1);
    expect((await logIn(server.visitorFrom("10.1.0.1"), clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("of programs and old clients do not block the console, even in the same network", async () => {
    const login = (password: string) =>
      gatewayProgram(server).post("/auth/login", { account: clerk.account, password });
    const old = manageClient(server.app);
    for (let failures = 0; failures < 10; failures += 1) {
      await login("wrong password");
      await old.call("login", { mobile: clerk.account, password: "wrong password" });
    }
    expect((await login(TEST_PASSWORD)).code).toBe(429);
    expect((await logIn(server.visitor(), clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("of many networks together block strangers at the gateway, but not networks where the account logged in before", async () => {
    const login = (address: string, password: string) =>
      gatewayProgram(server).post("/auth/login", { account: clerk.account, password }, { address });
    expect((await login("10.7.0.1", TEST_PASSWORD)).code).toBe(200);
    for (let network = 0; network < 10; network += 1) {
      for (let failures = 0; failures < 5; failures += 1) await login(`10.8.0.${network}`, "wrong password");
    }
    expect((await login("10.8.1.1", TEST_PASSWORD)).code).toBe(429);
    expect((await login("10.7.0.1", TEST_PASSWORD)).code).toBe(200);
    const desk = server.visitor();
    expect((await logIn(desk, clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("for invented accounts block a network, except for accounts that logged in there and open sessions", async () => {
    const login = (account: string, password: string, address = "10.7.2.1") =>
      gatewayProgram(server).post("/auth/login", { account, password }, { address });
    const desk = server.visitorFrom("10.7.2.1");
    await logIn(desk, clerk.account, TEST_PASSWORD);
    expect((await login(clerk.account, TEST_PASSWORD)).code).toBe(200);
    const stranger = await server.createOperator(hotel, { role: "staff" });
    await login("13999999999", "wrong password");
    await failTimes(1, "13999999999", server.visitorFrom("10.7.2.1"));
    const key = { startsWith: "addressFailures:" };
    await server.database.prisma.rateLimit.updateMany({ where: { key }, data: { points: 50 } });
    expect((await login(stranger.account, TEST_PASSWORD)).code).toBe(429);
    expect((await login(clerk.account, TEST_PASSWORD)).code).toBe(200);
    const browser = server.visitorFrom("10.7.2.1");
    const answer = await solvedCaptcha(browser);
    expect((await failure(logIn(browser, stranger.account, TEST_PASSWORD, answer))).code).toBe("too_many_attempts");
    expect((await logIn(browser, clerk.account, TEST_PASSWORD, answer)).operatorId).toBe(clerk.id);
    const change = { oldPassword: "wrong password", password: "another long sentence" };
    const changed = desk.api.auth.changePassword.mutate({ ...change, confirmPassword: change.password });
    expect((await failure(changed)).code, "not limited for the network").toBe("credentials_wrong");
  });

  it("count per person, whichever of their names is used", async () => {
    const email = "clara@example.com";
    await server.database.prisma.operator.update({ where: { id: clerk.id }, data: { email } });
    const login = (account: string) =>
      gatewayProgram(server).post("/auth/login", { account, password: "wrong password" });
    for (let failures = 0; failures < 5; failures += 1) {
      for (const account of [clerk.account, email]) expect((await login(account)).code).not.toBe(429);
    }
    for (const account of [clerk.account, email]) expect((await login(account)).code).toBe(429);
  });

  it("count for all networks of an IPv6 site", async () => {
    const login = (address: string) =>
      gatewayProgram(server).post("/auth/login", { account: clerk.account, password: "wrong password" }, { address });
    await login("2001:db8:1:1::1");
    const key = { startsWith: "largeSiteFailures:" };
    await server.database.prisma.rateLimit.updateMany({ where: { key }, data: { points: 200 } });
    expect((await login("2001:db8:1:ff01::1")).code).toBe(429);
    expect((await login("2001:db8:2:1::1")).code).not.toBe(429);
  });

  it("count failures while requests wait, so of 60 simultaneous guesses few are checked", async () => {
    const guesses = Array.from({ length: 60 }, () => failure(logIn(server.visitor(), clerk.account, "wrong password")));
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === "credentials_wrong").length).toBeLessThanOrEqual(4);
    expect(codes.filter((code) => code === "captcha_required").length).toBeGreaterThanOrEqual(56);
  });
});

it("serves others while a hundred people log in at once", async () => {
  // Only the real cost of a password keeps the server busy.
  const costly = await createTestServer({ loginCosts: {}, beside: server });
  const person = await costly.createOperator(hotel, { role: "staff" });
  let pendingCount = 100;
  const one = async () => {
    const entered = await logIn(costly.visitor(), person.account, TEST_PASSWORD);
    pendingCount -= 1;
    return entered;
  };
  const storm = Promise.all(Array.from({ length: pendingCount }, one));
  await costly.visitor().api.auth.status.query();
  expect(pendingCount).toBeGreaterThan(50);
  expect(new Set((await storm).map(({ operatorId }) => operatorId))).toEqual(new Set([person.id]));
  expect(await server.database.prisma.session.count({ where: { operatorId: person.id } })).toBe(100);
  await costly.close();
});

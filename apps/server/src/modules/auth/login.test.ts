import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Browser } from "../../testing/browser.ts";
import type { TestHotel, TestOperator } from "../../testing/people.ts";
import { createTestServer, entered, failure, TEST_PASSWORD, type TestServer } from "../../testing/server.ts";
import { CAPTCHA_ALPHABET } from "./captcha-drawing.ts";

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

/** Draws a code and looks its answer up the only way there is from outside: by trying the alphabet. */
async function solvedCaptcha(browser: Browser): Promise<{ captchaId: string; code: string }> {
  const draw = vi.spyOn(await import("./captcha-drawing.ts"), "randomCaptchaText");
  const { captchaId } = await browser.api.auth.captcha.mutate();
  const code = draw.mock.results.at(-1)?.value as string;
  return { captchaId, code };
}

describe("logging in", () => {
  it("answers who you are, in your hotel, with what you may do", async () => {
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

  it("takes e-mail in any case and phone numbers with spaces", async () => {
    const owner = await server.createOperator(hotel, { role: "owner", account: "olga@example.com" });
    expect((await logIn(server.visitor(), " Olga@Example.com ", TEST_PASSWORD)).operatorId).toBe(owner.id);
    const spaced = clerk.account.replace(/^(\d{3})(\d{4})/, "$1 $2-");
    expect((await logIn(server.visitor(), spaced, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("says the same for a wrong password and an unknown account", async () => {
    const wrong = await failure(logIn(server.visitor(), clerk.account, "wrong password"));
    const unknown = await failure(logIn(server.visitor(), "13999999999", TEST_PASSWORD));
    expect({ ...wrong, requestId: "" }).toEqual({ ...unknown, requestId: "" });
    expect(wrong.code).toBe("credentials_wrong");
  });

  it("tells only who knows the password that the account is frozen", async () => {
    await server.database.prisma.membership.updateMany({ data: { frozenAt: server.clock.now() } });
    expect((await failure(logIn(server.visitor(), clerk.account, "wrong password"))).code).toBe("credentials_wrong");
    expect((await failure(logIn(server.visitor(), clerk.account, TEST_PASSWORD))).code).toBe("frozen");
  });

  it("is journalled, also when refused, with the account masked", async () => {
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

describe("the graphic code", () => {
  it("is asked for after three failures of the account, and lets in once answered", async () => {
    await failTimes(3, clerk.account);
    const browser = server.visitorFrom("10.0.0.9");
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD))).code).toBe("captcha_required");
    const answer = await solvedCaptcha(browser);
    expect(
      (await logIn(browser, clerk.account, TEST_PASSWORD, { ...answer, code: answer.code.toLowerCase() })).operatorId,
    ).toBe(clerk.id);
    expect((await logIn(browser, clerk.account, TEST_PASSWORD)).operatorId, "failures are forgiven").toBe(clerk.id);
  });

  it("is asked for after three failures of the address, whatever the accounts", async () => {
    const browser = server.visitorFrom("10.0.0.7");
    for (const account of ["13999999991", "13999999992", "13999999993"]) await failTimes(1, account, browser);
    expect((await failure(logIn(browser, clerk.account, TEST_PASSWORD))).code).toBe("captcha_required");
    expect((await logIn(server.visitorFrom("10.0.0.8"), clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("is asked for whatever address of its own a visitor makes up", async () => {
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

  it("is good for one try, for its own answer, for five minutes", async () => {
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

  it("is a picture without text", async () => {
    const { image } = await server.visitor().api.auth.captcha.mutate();
    const svg = Buffer.from(image.replace("data:image/svg+xml;base64,", ""), "base64").toString();
    expect(svg).toMatch(/^<svg [^>]*>(<rect [^>]*>)?<g [^>]*>(<path [^>]*\/>)+<\/g><\/svg>$/);
  });
});

it("always asks for the graphic code where that is set", async () => {
  const strict = await createTestServer({ captchaAlways: true });
  try {
    const owner = await strict.createOperator(await strict.createHotel(), { role: "owner" });
    expect((await failure(logIn(strict.visitor(), owner.account, TEST_PASSWORD))).code).toBe("captcha_required");
  } finally {
    await strict.close();
  }
});

describe("limits", () => {
  it("shut an account for a quarter of an hour after ten failures, known or not, right password or not", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: server.clock.now() });
    for (const account of [clerk.account, "13999999999"]) {
      const browser = server.visitorFrom("10.1.0.1");
      await failTimes(3, account, browser);
      for (let failures = 3; failures < 10; failures += 1) {
        const answer = await solvedCaptcha(server.visitorFrom(`10.1.${failures}.2`));
        await failure(logIn(server.visitorFrom(`10.1.${failures}.2`), account, "wrong password", answer));
      }
      const shut = await failure(logIn(server.visitorFrom("10.9.9.9"), account, TEST_PASSWORD));
      expect(shut).toMatchObject({ code: "too_many_attempts", params: { retryAfterSeconds: 900 } });
      await server.database.prisma.rateLimit.deleteMany({ where: { key: { startsWith: "addressFailures:" } } });
    }
    vi.setSystemTime(server.clock.now().getTime() + 15 * 60_000 + 1);
    expect((await logIn(server.visitor(), clerk.account, TEST_PASSWORD)).operatorId).toBe(clerk.id);
  });

  it("count what failed while waiting for a turn: of 60 guesses at once few are judged", async () => {
    const guesses = Array.from({ length: 60 }, () => failure(logIn(server.visitor(), clerk.account, "wrong password")));
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === "credentials_wrong").length).toBeLessThanOrEqual(4);
    expect(codes.filter((code) => code === "captcha_required").length).toBeGreaterThanOrEqual(56);
  });
});

it("serves others while a hundred log in at once", async () => {
  let left = 100;
  const one = async () => {
    const entered = await logIn(server.visitor(), clerk.account, TEST_PASSWORD);
    left -= 1;
    return entered;
  };
  const storm = Promise.all(Array.from({ length: left }, one));
  await server.visitor().api.auth.status.query();
  expect(left).toBeGreaterThan(50);
  expect(new Set((await storm).map(({ operatorId }) => operatorId))).toEqual(new Set([clerk.id]));
  expect(await server.database.prisma.session.count({ where: { operatorId: clerk.id } })).toBe(100);
});

import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { manageLogin } from "../../test/clients/manage-client.ts";
import type { Browser } from "../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../test/harness/server.ts";
import * as drawing from "../domain/identity/login/captcha-drawing.ts";
import type { Visitor } from "../domain/identity/login/visitor.ts";
import type { Scope } from "../kernel/scope.ts";
import { secretBox } from "../kernel/secret-box.ts";
import { COOKIE_CONTEXT } from "./http/session-cookie.ts";
import { destinationOf } from "./legacy/files.ts";

/**
 * Secrets that open something by themselves can't be guessed: they are long and random, a near miss gives nothing, and
 * tries of short ones are limited.
 */
let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let scope: Scope;
let picture: Buffer;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  scope = await server.scopeOf(owner);
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "tan" } })
    .png()
    .toBuffer();
});
afterAll(() => server.close());

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGITS = "0123456789";
/** Returns variants of the text, each with one character replaced by the next of the alphabet. */
const oneSignOff = (text: string, alphabet = ALPHABET): string[] =>
  [...text].flatMap((sign, at) => {
    const next = alphabet[(alphabet.indexOf(sign) + 1) % alphabet.length];
    return alphabet.includes(sign) ? [`${text.slice(0, at)}${next}${text.slice(at + 1)}`] : [];
  });

/** Returns an answer without the request's id. */
const withoutRequestId = ({ statusCode, body }: { statusCode: number; body: string }) => {
  const { requestId: _requestId, ...rest } = JSON.parse(body);
  return { statusCode, ...rest };
};
const NOT_FOUND = { statusCode: 404, code: "not_found", params: {} };

describe("a session's token", () => {
  const visitor: Visitor = {
    address: "127.0.0.1",
    userAgent: "test",
    language: "en",
    channel: "console",
    requestId: "test",
  };
  const newToken = async (): Promise<string> =>
    (await server.services.auth.sessions.begin(scope, visitor, { how: "login", factors: 1 })).token;

  it("has 256 random bits and is stored as a hash", async () => {
    const tokens: string[] = [];
    for (let attempts = 0; attempts < 64; attempts += 1) tokens.push(await newToken());
    const bytes = tokens.map((token) => Buffer.from(token, "base64url"));
    expect(new Set(bytes.map(({ length }) => length))).toEqual(new Set([32]));
    const ones = Array.from({ length: 256 }, (_, bit) =>
      bytes.reduce((sum, token) => sum + (((token[bit >> 3] ?? 0) >> (bit & 7)) & 1), 0),
    );
    expect(ones.filter((count) => count === 0 || count === bytes.length)).toEqual([]);
    const rows = await server.database.prisma.session.findMany({ where: { operatorId: owner.id } });
    const hashes = new Set(rows.map(({ tokenHash }) => Buffer.from(tokenHash).toString("hex")));
    for (const token of tokens) expect(hashes).toContain(createHash("sha256").update(token).digest("hex"));
    expect(JSON.stringify(rows)).not.toContain(tokens[0]);
  });

  it("is refused in a cookie that was altered, invented or sealed around another token, always with the same answer", async () => {
    const { cookie = "" } = await server.loginAs(owner);
    const ask = async (of: string) => {
      const browser = server.visitor();
      browser.cookie = of;
      return browser.http("GET", "/api/board");
    };
    const sealed = secretBox(server.rootKey, "cookie").seal(randomBytes(32).toString("base64url"), COOKIE_CONTEXT);
    const guesses = [...oneSignOff(cookie), randomBytes(75).toString("base64url"), sealed.toString("base64url"), "x"];
    for (const guess of guesses) {
      expect(withoutRequestId(await ask(guess)), guess).toEqual({
        statusCode: 401,
        code: "session_revoked",
        params: {},
      });
    }
    expect((await ask(cookie)).statusCode).toBe(200);
  });

  it("is refused in an old client's header when it was altered or invented, always with the same answer", async () => {
    const client = await manageLogin(server, owner);
    const { token = "" } = client;
    const ask = async (of: string) => {
      client.token = of;
      return client.call("room/staffList");
    };
    const answers: unknown[] = [];
    for (const guess of [...oneSignOff(token), randomBytes(32).toString("base64url"), "x"])
      answers.push(await ask(guess));
    expect(answers[0]).toMatchObject({ errno: 9_000_005 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await ask(token)).errno).toBe(0);
  });
});

describe("a link to a picture", () => {
  it("finds nothing when it was altered, is for another hotel or has expired, always with the same answer", async () => {
    const { id } = await server.services.files.store(scope, "room", picture);
    const sign = (hotelId: number) => new URLSearchParams(server.services.fileLinks.sign({ hotelId, id }, 60));
    const query = sign(hotel.id);
    const [expires, signature] = [query.get("expires") ?? "", query.get("signature") ?? ""];
    const link = (of: { hotelId?: number | string; id?: string; expires?: string; signature?: string } = {}) => {
      const signedQuery = { hotelId: hotel.id, id, expires, signature, ...of };
      return `/manage/files/${signedQuery.hotelId}/${signedQuery.id}?expires=${signedQuery.expires}&signature=${signedQuery.signature}`;
    };
    const open = (url: string) => server.app.inject({ method: "GET", url });
    expect((await open(link())).statusCode).toBe(200);

    const other = await server.createHotel();
    const guesses = [
      ...oneSignOff(signature).map((guess) => link({ signature: guess })),
      ...oneSignOff(expires, DIGITS).map((guess) => link({ expires: guess })),
      ...oneSignOff(id, "0123456789abcdef").map((guess) => link({ id: guess })),
      ...oneSignOff(String(hotel.id), DIGITS).map((guess) => link({ hotelId: guess })),
      link({ hotelId: other.id }),
      link({ hotelId: other.id, signature: sign(other.id).get("signature") ?? "" }),
      link({ signature: `${signature}=` }),
      link({ signature: "" }),
      link({ expires: "Infinity" }),
      link().split("&")[0] ?? "",
    ];
    for (const guess of guesses) {
      expect(withoutRequestId(await open(guess)), guess).toEqual(NOT_FOUND);
    }
    server.clock.advance(60_000);
    expect(withoutRequestId(await open(link()))).toEqual(NOT_FOUND);
  });
});

describe("an upload ticket", () => {
  const wish = () => ({ kind: "room", contentType: "image/png", size: picture.length }) as const;

  it("admits nothing when it was altered, and the original stays valid", async () => {
    const ticket = await server.services.uploads.issueTicket(scope, wish());
    const { url } = destinationOf(ticket, "");
    const [path = "", search = ""] = url.split("?");
    const query = new URLSearchParams(search);
    const withParameter = (name: string, value: string): string => {
      const changed = new URLSearchParams(query);
      changed.set(name, value);
      return `${path}?${changed.toString()}`;
    };
    const send = (to: string) =>
      server.app.inject({ method: "PUT", url: to, headers: { "content-type": "image/png" }, payload: picture });
    const id = path.split("/").at(-1) ?? "";
    const guesses = [
      ...oneSignOff(query.get("signature") ?? "").map((guess) => withParameter("signature", guess)),
      ...oneSignOff(query.get("expires") ?? "", DIGITS).map((guess) => withParameter("expires", guess)),
      ...oneSignOff(id, "0123456789abcdef").map((guess) => `${path.replace(id, guess)}?${search}`),
      `${path.replace(`/${hotel.id}/`, `/${hotel.id + 1}/`)}?${search}`,
    ];
    for (const guess of guesses) {
      expect(withoutRequestId(await send(guess)), guess).toEqual(NOT_FOUND);
    }
    expect((await send(url)).statusCode).toBe(200);
  });

  it("is given to one person sixty times an hour, whatever colleagues use", async () => {
    const [busy, other] = [
      await server.scopeOf(await server.createOperator(hotel, { role: "owner" })),
      await server.scopeOf(await server.createOperator(hotel, { role: "owner" })),
    ];
    const { uploads } = server.services;
    for (let accepted = 0; accepted < 60; accepted += 1) await uploads.issueTicket(busy, wish());
    await expect(uploads.issueTicket(busy, wish())).rejects.toMatchObject({ code: "too_many_attempts" });
    expect((await uploads.issueTicket(other, wish())).key).toContain(`/${other.operatorId}/`);
  });
});

describe("a graphic code", () => {
  let draw: MockInstance<() => string>;
  beforeEach(() => {
    draw = vi.spyOn(drawing, "randomCaptchaText");
  });
  afterEach(() => draw.mockRestore());

  async function drawCaptcha(browser: Browser): Promise<{ captchaId: string; code: string }> {
    const { captchaId } = await browser.api.auth.captcha.mutate();
    return { captchaId, code: String(draw.mock.results.at(-1)?.value) };
  }
  const wrong = (code: string): string =>
    [...code].map((sign) => drawing.CAPTCHA_ALPHABET.replace(sign, "")[0]).join("");
  const account = (n: number): string => `1390000000${n}`;

  it("is void after one wrong answer, and an unknown one gets the same answer", async () => {
    const browser = server.visitorFrom("203.0.113.1");
    const { captchaId, code } = await drawCaptcha(browser);
    const send = (answer: { captchaId: string; code: string }) =>
      failure(browser.api.auth.sendRecoveryCode.mutate({ account: account(0), ...answer }));
    const { requestId: _first, ...guessed } = await send({ captchaId, code: wrong(code) });
    expect(guessed.code).toBe("captcha_wrong");
    expect(await send({ captchaId, code })).toMatchObject(guessed);
    const captcha = { captchaId: "0b9f0e0c-6d0a-4c9e-8f57-0d6f4f3f9c11", code };
    const { requestId: _second, ...unknown } = await send(captcha);
    expect(unknown).toEqual(guessed);
  });

  it("is checked once, however many requests send it at the same moment", async () => {
    const browser = server.visitorFrom("203.0.113.2");
    const answer = await drawCaptcha(browser);
    const sent = Array.from({ length: 8 }, (_, n) =>
      browser.api.auth.sendRecoveryCode.mutate({ account: account(n), ...answer }),
    );
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is drawn at most 120 times in five minutes for one address", async () => {
    const browser = server.visitorFrom("203.0.113.3");
    const { captcha } = browser.api.auth;
    const outcomes = await Promise.allSettled(Array.from({ length: 121 }, () => captcha.mutate()));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect((await failure(captcha.mutate())).code).toBe("too_many_attempts");
    expect((await server.visitorFrom("203.0.113.4").api.auth.captcha.mutate()).captchaId).not.toBe("");
  });
});

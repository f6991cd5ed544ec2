import { API_SCOPES, type ApiScope } from "@innkey/shared/capabilities";
import { createKeyInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  desk = await server.loginAs(owner);
});

interface Program {
  id: number;
  token: string;
  ask(path: string, input?: unknown): Promise<Answer>;
  mutate(path: string, input?: unknown): Promise<Answer>;
  get(url: string): Promise<{ statusCode: number; body: string }>;
}
interface Answer {
  status: number;
  data: unknown;
  code: string | null;
}

/** A program on another machine: it sends the key, without the console's cookie or headers. */
async function program(
  options: { scopes?: ApiScope[]; expiresAt?: string | null; name?: string; address?: string } = {},
): Promise<Program> {
  const { scopes = ["rooms.view"], expiresAt = null, name = "Cleaning app" } = options;
  const created = await desk.api.integrations.createKey.mutate({ name, scopes, expiresAt });
  return { ...created, ...caller(`Bearer ${created.token}`, options.address) };
}

function caller(authorization: string, address = "203.0.113.9"): Pick<Program, "ask" | "mutate" | "get"> {
  const headers = { authorization, "x-forwarded-for": address };
  const answer = (response: { statusCode: number; json(): unknown }): Answer => {
    const { result, error } = response.json() as {
      result?: { data: unknown };
      error?: { data: { innkey: { code: string } } };
    };
    return { status: response.statusCode, data: result?.data, code: error?.data.innkey.code ?? null };
  };
  return {
    async ask(path, input) {
      const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return answer(await server.app.inject({ method: "GET", url: `/api/trpc/${path}${query}`, headers }));
    },
    async mutate(path, input) {
      const payload = JSON.stringify(input ?? {});
      const sent = { ...headers, "content-type": "application/json" };
      return answer(await server.app.inject({ method: "POST", url: `/api/trpc/${path}`, headers: sent, payload }));
    },
    get: (url) => server.app.inject({ method: "GET", url, headers }),
  };
}

const rows = async () => desk.api.integrations.keys.query();
const auditEntry = () =>
  server.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id }, orderBy: { seq: "asc" } });

describe("an API key", () => {
  it("is shown once, and stored only as a hash", async () => {
    const { token } = await program();
    expect(token).toMatch(/^ik_[0-9a-f]{16}_[\w-]{43}$/);
    const secret = token.split("_").slice(2).join("_");
    const row = await server.database.prisma.apiKey.findFirstOrThrow({ where: { hotelId: hotel.id } });
    expect(Buffer.from(row.secretHash)).toHaveLength(32);
    for (const key of [JSON.stringify(row), JSON.stringify(await rows()), JSON.stringify(await auditEntry(), big)]) {
      expect(key).not.toContain(secret);
    }
  });

  it("opens what it allows without a cookie: procedures, the board and the records", async () => {
    const { roomId } = await desk.api.rooms.save.mutate({ name: "101", groupId: null, lock: null });
    const { ask, get } = await program({ scopes: ["rooms.view", "unlocks.view"] });
    expect((await ask("rooms.detail", { roomId })).data).toMatchObject({ id: roomId });
    const board = await get("/api/board");
    expect([board.statusCode, board.body.includes('"101"')]).toEqual([200, true]);
    expect((await get(`/api/rooms/${roomId}/unlocks`)).statusCode).toBe(200);
  });

  it("opens nothing beyond its scopes, nor what no key can have", async () => {
    const { ask, mutate } = await program({ scopes: [...API_SCOPES].filter((scope) => scope !== "folio.view") });
    expect(await ask("folio.list", {})).toMatchObject({ status: 403, code: "no_permission" });
    for (const path of ["staff.list", "audit.list", "integrations.keys", "integrations.webhooks", "cards.profiles"]) {
      expect((await ask(path, path === "audit.list" ? {} : undefined)).code, path).toBe("no_permission");
    }
    for (const path of ["auth.me", "auth.sessions", "auth.status"]) {
      expect(await ask(path), path).toMatchObject({ status: 403, code: "no_permission" });
    }
    for (const path of ["auth.logout", "auth.captcha"]) expect((await mutate(path)).code, path).toBe("no_permission");
    const scopes: string[] = ["rooms.view", "staff.manage"];
    expect(createKeyInput.safeParse({ name: "x", scopes, expiresAt: null }).success).toBe(false);
  });

  it("takes precedence over a cookie in the same request", async () => {
    const { token } = await program();
    const answer = await desk.http("GET", "/api/trpc/staff.list", { headers: { authorization: `Bearer ${token}` } });
    expect(answer.json().error.data.innkey.code).toBe("no_permission");
  });

  it("acts in its own name, and the audit log names it instead of an operator", async () => {
    const { mutate: send, id } = await program({ name: "Booking engine", scopes: ["stays.view", "stays.manage"] });
    const { roomId } = await desk.api.rooms.save.mutate({ name: "102", groupId: null, lock: null });
    const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
    await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
    const at = (days: number) => new Date(server.clock.now().getTime() + days * DAY).toISOString();
    const guests = [{ name: "Ann", mobile: "", email: "" }];
    const booking = { roomId, unit: "day", startsAt: at(1), endsAt: at(2), guests, channel: "card" };
    const answer = await send("stays.reserve", booking);
    expect(answer).toMatchObject({ status: 200, code: null });
    const { stayId } = answer.data as { stayId: number };
    const { prisma } = server.database;
    expect(await prisma.stay.findUniqueOrThrow({ where: { id: stayId } })).toMatchObject({ createdById: null });
    expect(await prisma.folioEntry.findMany({ where: { stayId } })).toMatchObject([{ operatorId: null }]);
    const [entry] = (await auditEntry()).slice(-1);
    expect(entry).toMatchObject({ action: "stay.reserve", actorKind: "key", actorId: id, actorName: "Booking engine" });
  });

  it("that is unknown, wrong, expired or revoked is refused with the same words", async () => {
    const soon = new Date(server.clock.now().getTime() + DAY).toISOString();
    const expiring = await program({ expiresAt: soon });
    const revoked = await program();
    const wrong = caller(`Bearer ${expiring.token.slice(0, -1)}${expiring.token.endsWith("A") ? "B" : "A"}`);
    const unknown = caller(`Bearer ik_${"0".repeat(16)}_${"x".repeat(43)}`);
    expect((await expiring.ask("rooms.detail", { roomId: 1 })).code).toBe("not_found");
    server.clock.advance(DAY);
    desk = await server.loginAs(owner);
    await desk.api.integrations.revokeKey.mutate({ id: revoked.id });
    for (const one of [expiring, revoked, wrong, unknown, caller("Bearer ik_"), caller("Bearer ik_%00")]) {
      expect(await one.ask("rooms.detail", { roomId: 1 })).toEqual({
        status: 401,
        code: "key_invalid",
        data: undefined,
      });
      expect(await one.get("/api/board")).toMatchObject({ statusCode: 401 });
      expect((await one.mutate("auth.login", { account: "a@example.com", password: "x" })).code).toBe("key_invalid");
    }
    expect((await rows()).map(({ state }) => state).sort()).toEqual(["expired", "revoked"]);
  });

  it("can be revoked once, and shows when and from where it was last used, updated once a minute", async () => {
    const { id, ask } = await program({ address: "203.0.113.7" });
    const [unused] = await rows();
    expect(unused).toMatchObject({
      lastUsedAt: null,
      lastUsedAddress: "",
      operatorName: expect.stringContaining("owner"),
    });
    await ask("rooms.detail", { roomId: 1 });
    const first = server.clock.now().toISOString();
    server.clock.advance(MINUTE - 1);
    await ask("rooms.detail", { roomId: 1 });
    expect(await rows()).toMatchObject([{ lastUsedAt: first, lastUsedAddress: "203.0.113.7" }]);
    server.clock.advance(1);
    await ask("rooms.detail", { roomId: 1 });
    expect(await rows()).toMatchObject([{ lastUsedAt: server.clock.now().toISOString() }]);
    await desk.api.integrations.revokeKey.mutate({ id });
    expect(await failure(desk.api.integrations.revokeKey.mutate({ id }))).toMatchObject({ code: "state_conflict" });
    expect((await auditEntry()).slice(-2).map(({ action }) => action)).toEqual(["key.create", "key.revoke"]);
  });

  it("cannot be created already expired", async () => {
    const input = { name: "x", scopes: ["rooms.view" as const], expiresAt: server.clock.now().toISOString() };
    const { code, fields } = await failure(desk.api.integrations.createKey.mutate(input));
    expect([code, fields?.expiresAt?.key]).toEqual(["invalid_input", "validation.endPast"]);
  });

  it("can make six hundred requests a minute, without affecting others", async () => {
    const busy = await program();
    const other = await program();
    const responses = await Promise.all(Array.from({ length: 601 }, () => busy.get("/api/board")));
    const answers = responses.map(({ statusCode }) => statusCode).sort();
    expect(answers.slice(-2)).toEqual([200, 429]);
    expect((await other.get("/api/board")).statusCode).toBe(200);
  });

  it("that is guessed thirty times blocks that address for a minute, and no other", async () => {
    const good = await program({ address: "203.0.113.200" });
    const guesser = caller(`Bearer ik_${"0".repeat(16)}_${"x".repeat(43)}`, "203.0.113.200");
    for (let i = 0; i < 30; i += 1) expect((await guesser.get("/api/board")).statusCode).toBe(401);
    const sentAway = await guesser.ask("rooms.detail", { roomId: 1 });
    expect(sentAway).toMatchObject({ status: 429, code: "too_many_attempts" });
    expect((await good.get("/api/board")).statusCode).toBe(429);
    const elsewhere = caller(`Bearer ${good.token}`, "203.0.113.201");
    expect((await elsewhere.get("/api/board")).statusCode).toBe(200);
  });
});

describe("callers without access", () => {
  it("without authority over third parties find the feature switched off, even as owner", async () => {
    const { id } = await program();
    const plain = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const { createKey, keys, revokeKey, webhooks } = plain.api.integrations;
    const calls = [
      () => keys.query(),
      () => webhooks.query(),
      () => revokeKey.mutate({ id }),
      () => createKey.mutate({ name: "x", scopes: ["rooms.view"], expiresAt: null }),
    ];
    for (const call of calls) expect(await failure(call())).toMatchObject({ code: "feature_off" });
  });

  it("of another hotel neither see nor revoke a key", async () => {
    const { id, get } = await program();
    const elsewhere = await server.createHotel();
    const other = await server.loginAs(await server.createOperator(elsewhere, { role: "owner", apiKeyAuth: true }));
    expect(await other.api.integrations.keys.query()).toEqual([]);
    expect(await failure(other.api.integrations.revokeKey.mutate({ id }))).toMatchObject({ code: "not_found" });
    expect((await get("/api/board")).statusCode).toBe(200);
  });

  it("on a web page are refused as before, because a form cannot send a key", async () => {
    const headers = { "content-type": "application/json", authorization: "Basic aWtfMTox" };
    const answer = await server.app.inject({ method: "POST", url: "/api/trpc/auth.logout", headers, payload: "{}" });
    expect(answer.json().error.data.innkey.code).toBe("cross_site");
  });
});

const big = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

import { LANGUAGES } from "@innkey/shared/languages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ManageClient, manageClient, manageLogin } from "../../../test/clients/manage-client.ts";
import { SAMPLES } from "../../../test/clients/manage-samples.ts";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { translator } from "../../kernel/translate.ts";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./registry.ts";

/**
 * Every call of the compatibility layer gets the same checks: no token, a bad token, missing fields, fields of the
 * wrong type, ids of another hotel, every language. The tests of successful calls are in calls/.
 */
let server: TestServer;
let hotel: SeededHotel;
let stranger: SeededHotel;
let client: ManageClient;
let nobody: ManageClient;

const INTERNAL = 100_000;
const INVALID = 100_001;
const NOT_FOUND = 100_007;
const TOKEN_UNKNOWN = 9_000_005;
/** An id larger than any in the test hotels. */
const NOBODYS_ID = 2_000_000_000;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  stranger = await seedTestHotel(server, "foreign");
  client = await manageLogin(server, hotel.owner);
  nobody = manageClient(server.app);
});
afterAll(() => server.close());

const calls = endpoints.map((endpoint) => [endpoint.path.slice("/manage/".length), endpoint] as const);
const guarded = calls.filter(([, { open }]) => !open);

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);

function sampleOf(path: string, ids: SeededHotel["ids"]): Record<string, unknown> {
  const sample = SAMPLES[path];
  if (!sample) throw new Error(`${path} has no sample`);
  return sample(ids, now());
}

/** Converts all numbers to text, as a form sends them; also in lists. */
function inText(payload: Record<string, unknown>): Record<string, unknown> {
  const asText = (value: unknown): unknown =>
    typeof value === "number" ? String(value) : Array.isArray(value) ? value.map(asText) : value;
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, asText(value)]));
}

/** Returns the names of the required fields. */
function requiredOf({ schema }: Endpoint): string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name);
}

it("every call has a sample, and every sample a call", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(calls.map(([path]) => path).sort());
});

describe("the token", () => {
  it.each(guarded)("%s refuses a missing token, a wrong one and that of a frozen operator", async (path) => {
    const payload = sampleOf(path, hotel.ids);
    nobody.token = undefined;
    expect((await nobody.call(path, payload)).errno).toBe(TOKEN_UNKNOWN);
    nobody.token = "A".repeat(43);
    expect((await nobody.call(path, payload)).errno).toBe(TOKEN_UNKNOWN);
  });

  it("of an operator is unknown as soon as they are frozen", async () => {
    const frozen = await server.createOperator(hotel.hotel, { role: "administrator" });
    const frozenClient = await manageLogin(server, frozen);
    expect((await frozenClient.call("room/hotelInfo")).errno).toBe(0);
    await client.ok("user/freezeUser", { user_id: frozen.id, freeze: 1 });
    for (const [path] of guarded) {
      expect((await frozenClient.call(path, sampleOf(path, hotel.ids))).errno, path).toBe(TOKEN_UNKNOWN);
    }
  });
});

describe("input", () => {
  const withRequired = calls
    .map(([path, endpoint]) => [path, requiredOf(endpoint)] as const)
    .filter(([, required]) => required.length > 0);

  it.each(withRequired)("%s names the missing field", async (path, required) => {
    for (const field of required) {
      const { [field]: _left, ...payload } = sampleOf(path, hotel.ids);
      const answer = await client.call<{ fields?: Record<string, string> }>(path, payload);
      expect([answer.errno, Object.keys(answer.data.fields ?? {})], field).toEqual([INVALID, [field]]);
      expect(answer.errmsg).toBe(`${field}: ${answer.data.fields?.[field]}`);
    }
  });

  it.each(calls)("%s names every field of a wrong type, without an internal error", async (path, { schema }) => {
    for (const field of Object.keys(schema.shape)) {
      for (const wrong of [{ a: 1 }, [[]], "\u0000", "💥", -1, 1e300, true]) {
        const answer = await client.call<{ fields?: Record<string, string> }>(path, {
          ...sampleOf(path, stranger.ids),
          [field]: wrong,
        });
        expect(answer.errno, `${field} ${JSON.stringify(wrong)}: ${answer.errmsg}`).not.toBe(INTERNAL);
        if (answer.errno === INVALID) expect(Object.keys(answer.data.fields ?? {}).length).toBeGreaterThan(0);
      }
    }
  });
});

describe("another hotel", () => {
  /** Calls whose sample contains an id of the hotel's data. */
  const naming = calls
    .map(([path]) => [path, SAMPLES[path]?.toString() ?? ""] as const)
    .filter(([, source]) => /\{ (?!\})[\w, ]*(Id|deviceNo)\b/.test(source))
    .map(([path]) => path);

  it("is tested with enough calls to mean something", () => {
    expect(naming.length).toBeGreaterThan(45);
  });

  it.each(naming)("%s answers for its ids as for unknown ones, including numbers sent as text", async (path) => {
    const unknown = Object.fromEntries(Object.keys(hotel.ids).map((key) => [key, NOBODYS_ID]));
    const nothing = { ...unknown, deviceNo: "NONE-1" } as unknown as SeededHotel["ids"];
    const foreign = await client.call(path, sampleOf(path, stranger.ids));
    const absent = await client.call(path, sampleOf(path, nothing));
    const asText = await client.call(path, inText(sampleOf(path, nothing)));
    expect(foreign.errno).toBe(NOT_FOUND);
    expect(absent).toEqual(foreign);
    expect(asText).toEqual(foreign);
  });
});

describe("languages", () => {
  it.each(LANGUAGES)("$code: refusals are written in this language", async ({ code }) => {
    const texts = translator(code);
    const speaker = manageClient(server.app, { language: code });
    expect((await speaker.call("room/hotelInfo")).errmsg).toBe(texts("errors.session_missing"));
    speaker.token = client.token;
    const missing = await speaker.call("room/lockInfo");
    expect(missing.errmsg).toBe(`room_id: ${texts("validation.required")}`);
    expect((await speaker.call("room/lockInfo", { room_id: NOBODYS_ID })).errmsg).toBe(texts("errors.not_found"));
    expect((await speaker.call("no/such/call")).errmsg).toBe(texts("errors.not_found"));
  });
});

it("an unknown path is not found, and a plain body gets no explanation", async () => {
  expect((await client.call("room/nothing")).errno).toBe(NOT_FOUND);
  const plain = await server.app.inject({ method: "POST", url: "/manage/room/nothing", payload: { a: 1 } });
  expect(plain.statusCode).toBe(400);
});

import type { ApiScope } from "@innkey/shared/capabilities";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel } from "../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { CONTRACTS, type JsonSchema } from "./contracts.ts";
import { OPERATIONS } from "./operations.ts";

const DAY_MS = 86_400_000;

let server: TestServer;
let hotel: TestHotel;
let desk: Browser;
let roomId: number;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner", apiKeyAuth: true }));
  const lock = { mac: `02:00:00:00:01:${String(hotel.id % 100).padStart(2, "0")}` };
  ({ roomId } = await desk.api.rooms.save.mutate({ name: "101", groupId: null, lock }));
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 10_000, renewalMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
});

/** A program with a key of these scopes. */
async function connect(...scopes: ApiScope[]) {
  const { token } = await desk.api.integrations.createKey.mutate({ name: "Booking engine", scopes, expiresAt: null });
  const program = server.visitor();
  return (method: string, path: string, payload?: object, headers: Record<string, string> = {}) =>
    program.http(method as "GET", `/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload && { payload }),
    });
}

const inDays = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();
const booking = () => ({
  ...{ roomId, unit: "day", startsAt: inDays(3), endsAt: inDays(5) },
  guests: [{ name: "Ada Lovelace" }],
});

describe("the OpenAPI document", () => {
  it("is valid, and is readable without a key", async () => {
    const answer = await server.visitor().http("GET", "/api/v1/openapi.json");
    expect(answer.statusCode).toBe(200);
    const { valid, errors } = await new Validator().validate(answer.json());
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(Object.values(answer.json().paths).flatMap((methods) => Object.keys(methods as object))).toHaveLength(
      OPERATIONS.length,
    );
  });

  it("changes only on purpose: programs rely on the names and fields", async () => {
    const fields = ({ properties = {}, required = [], items }: JsonSchema): string =>
      items
        ? `list of ${fields(items as JsonSchema)}`
        : Object.keys(properties)
            .map((name) => (required.includes(name) ? name : `${name}?`))
            .join(", ");
    const lines = CONTRACTS.map(({ operation: { id, method, path }, input, answer }) =>
      [`${id}: ${method} ${path}`, `takes ${fields(input)}`, `answers ${fields(answer)}`].join("\n  "),
    );
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("__snapshots__/operations.txt");
  });
});

describe("a program with a key", () => {
  it("books a room that is free, checks the party in and gives it a door code", async () => {
    const call = await connect("rooms.view", "stays.view", "stays.manage", "passcodes.issue", "passcodes.view");
    const period = new URLSearchParams({ unit: "day", startsAt: inDays(0), endsAt: inDays(2), arrives: "true" });
    const free = (await call("GET", `/availability?${period}`)).json();
    expect(free.groups[0].rooms).toMatchObject([{ roomId, priceMinor: 20_000 }]);
    const reserved = await call("POST", "/stays", { ...booking(), startsAt: inDays(0), endsAt: inDays(2) });
    expect(reserved.json()).toMatchObject({ totalMinor: 20_000 });
    const { stayId } = reserved.json();
    expect((await call("POST", `/stays/${stayId}/check-in`, {})).statusCode).toBe(200);
    const guests = await call("GET", "/guests?state=in&pageSize=5");
    expect(guests.json()).toMatchObject({ total: 1, rows: [{ stayId, name: "Ada Lovelace" }] });
    const code = await call("POST", "/door-codes", { type: "air", roomIds: [roomId], stayId, person: "Ada Lovelace" });
    expect(code.json().code).toMatch(/^\d{6}$/);
    const ended = await call("DELETE", `/door-codes/${code.json().passcodeId}`);
    expect([ended.statusCode, ended.json()]).toEqual([200, { passcodeId: code.json().passcodeId }]);
  });

  it("gets the first answer again if it repeats a request with its idempotency key", async () => {
    const call = await connect("stays.view", "stays.manage");
    const headers = { "idempotency-key": "order 4711" };
    const first = await call("POST", "/stays", booking(), headers);
    const second = await call("POST", "/stays", booking(), headers);
    expect(second.json()).toEqual(first.json());
    expect([first, second].map((answer) => answer.headers["idempotent-replayed"])).toEqual([undefined, "true"]);
    const other = await call("POST", "/stays", { ...booking(), endsAt: inDays(6) }, headers);
    expect([other.statusCode, other.json().fields]).toEqual([
      400,
      { "idempotency-key": { key: "validation.keyUsed" } },
    ]);
    expect((await call("GET", "/guests")).json().total).toBe(1);
  });

  it("learns which field is wrong, and that a room is taken", async () => {
    const call = await connect("stays.view", "stays.manage");
    const wrong = await call("POST", "/stays", { ...booking(), guests: [] });
    expect([wrong.statusCode, Object.keys(wrong.json().fields)]).toEqual([400, ["guests"]]);
    const typo = await call("GET", "/guests?pageSize=many");
    expect([typo.statusCode, Object.keys(typo.json().fields)]).toEqual([400, ["pageSize"]]);
    await call("POST", "/stays", booking());
    const taken = await call("POST", "/stays", booking());
    expect([taken.statusCode, taken.json().code]).toEqual([409, "room_taken"]);
  });

  it("does nothing outside its scopes and its hotel, and nobody does anything without a key", async () => {
    const call = await connect("rooms.view");
    expect((await call("GET", "/rooms")).json()).toMatchObject({ total: 1 });
    const refused = await call("POST", "/stays", booking());
    expect([refused.statusCode, refused.json().code]).toEqual([403, "no_permission"]);
    const stranger = await server.visitor().http("GET", "/api/v1/rooms");
    expect([stranger.statusCode, stranger.json().code]).toEqual([401, "key_invalid"]);
    const person = await desk.http("GET", "/api/v1/rooms");
    expect([person.statusCode, person.json().code]).toEqual([401, "key_invalid"]);

    const foreignRoom = roomId;
    hotel = await server.createHotel();
    desk = await server.loginAs(await server.createOperator(hotel, { role: "owner", apiKeyAuth: true }));
    const other = await connect("rooms.view", "stays.manage");
    expect((await other("GET", `/rooms/${foreignRoom}`)).statusCode).toBe(404);
    expect((await other("POST", "/stays", booking())).statusCode).toBe(404);
    expect((await other("GET", "/nothing")).json().code).toBe("not_found");
  });
});

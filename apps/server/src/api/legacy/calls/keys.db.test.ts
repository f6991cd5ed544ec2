import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Created {
  id: number;
  key: string;
  secret: string;
}
interface Listed {
  list: { id: number; name: string; key: string; scopes: string[]; last_used_time: number | null }[];
  total: number;
}

let server: TestServer;
let hotel: TestHotel;
let desk: Browser["api"];
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  const owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  desk = (await server.loginAs(owner)).api;
  client = await manageLogin(server, owner);
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const create = (payload: object) => answerOf<Created>(client, "user/apikey", { ...payload });
const list = (payload = {}) => answerOf<Listed>(client, "user/apiKeyList", payload);
const seconds = (ms = 0): number => Math.floor((server.clock.now().getTime() + ms) / 1000);
const board = ({ key, secret }: Created) =>
  server.app.inject({ method: "GET", url: "/api/board", headers: { authorization: `Bearer ${key}_${secret}` } });

it("a key opens what it allows, is listed with its public half, and opens nothing once deleted", async () => {
  const expire = seconds(86_400_000);
  const created = await create({ name: "Cleaning app", scopes: ["rooms.view"], expire });
  expect(created.key).toMatch(/^ik_[0-9a-f]{16}$/);
  expect(created.secret).toMatch(/^[\w-]{43}$/);
  expect((await board(created)).statusCode).toBe(200);
  const { list: rows } = await list();
  expect(rows.find(({ id }) => id === created.id)).toEqual({
    id: created.id,
    name: "Cleaning app",
    key: created.key,
    scopes: ["rooms.view"],
    last_used_time: seconds(),
    expire,
    create_time: seconds(),
  });
  expect(JSON.stringify(rows)).not.toContain(created.secret);
  expect(await answerOf(client, "user/apiKeyDel", { id: created.id })).toEqual({});
  expect((await board(created)).statusCode).toBe(401);
  expect((await list()).list.map(({ id }) => id)).not.toContain(created.id);
  expect((await desk.integrations.keys.query()).find(({ id }) => id === created.id)?.state).toBe("revoked");
  server.clock.advance(3000);
  const again = await refusalOf(client, "user/apiKeyDel", { id: created.id });
  expect([again.errno, again.data.reason]).toEqual([100_008, "state_conflict"]);
});

it("a key without scopes may do what the gateway does, and every secret is returned whole", async () => {
  for (let serial = 0; serial < 20; serial += 1) {
    const created = await create({ name: `Gateway ${serial}` });
    expect((await board(created)).statusCode, created.secret).toBe(200);
  }
  const { list: rows, total } = await list({ page: 2, page_size: 15 });
  expect([rows.length, total]).toEqual([5, 20]);
  expect(rows[0]?.scopes).toEqual(["rooms.view", "cards.view", "cards.issue"]);
});

it("names the invalid field", async () => {
  const fieldsOf = async (payload: Record<string, unknown>) =>
    Object.keys((await refusalOf(client, "user/apikey", payload)).data.fields ?? {});
  expect(await fieldsOf({})).toEqual(["name"]);
  expect(await fieldsOf({ name: "x", scopes: ["staff.manage"] })).toEqual(["scopes"]);
  expect(await fieldsOf({ name: "x", scopes: [] })).toEqual(["scopes"]);
  expect(await fieldsOf({ name: "x", expire: seconds(-1000) })).toEqual(["expire"]);
  expect((await refusalOf(client, "user/apiKeyDel", { id: 2_000_000_000 })).errno).toBe(100_007);
  expect((await refusalOf(client, "user/apiKeyDel")).data.fields).toHaveProperty("id");
});

it("is switched off for owners without the feature, and refused to staff", async () => {
  const plain = await manageLogin(server, await server.createOperator(hotel, { role: "owner" }), {
    address: "10.1.1.1",
  });
  for (const [path, payload] of [
    ["user/apikey", { name: "x" }],
    ["user/apiKeyList", {}],
    ["user/apiKeyDel", { id: 1 }],
  ] as const) {
    expect((await refusalOf(plain, path, payload)).errno, path).toBe(9_000_020);
  }
  const clerk = await manageLogin(server, await server.createOperator(hotel, { role: "staff" }), {
    address: "10.2.2.2",
  });
  expect((await refusalOf(clerk, "user/apiKeyList")).errno).toBe(100_006);
});

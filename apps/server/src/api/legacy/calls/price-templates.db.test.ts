import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Listed {
  list: { id: number; name: string; room_count: number }[];
  total: number;
}

let server: TestServer;
let hotel: TestHotel;
let desk: Browser["api"];
let client: ManageClient;
let roomIds: number[];

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  const owner = await server.createOperator(hotel, { role: "owner" });
  desk = (await server.loginAs(owner)).api;
  client = await manageLogin(server, owner);
  roomIds = [];
  for (const name of ["101", "102"]) {
    roomIds.push((await desk.rooms.save.mutate({ name, groupId: null, lock: null })).roomId);
  }
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const PRICES = {
  deposit: "50",
  usual_price: "128.00",
  weekend_price: 158.5,
  special: [{ date: "2026-12-24", price: "198.00" }],
  renew_price: "118.00",
  month_price: "2400",
};
const add = async (payload: object) =>
  (await answerOf<{ id: number }>(client, "priceTemplate/add", { ...PRICES, ...payload })).id;
const list = (payload = {}) => answerOf<Listed>(client, "priceTemplate/lists", payload);
const fieldsOf = async (path: string, payload: object) =>
  Object.keys((await refusalOf(client, path, { ...payload })).data.fields ?? {});

it("a template stores all prices, is replaced by its id, and read back", async () => {
  const id = await add({ name: "Winter" });
  expect(await answerOf(client, "priceTemplate/info", { id })).toEqual({
    id,
    name: "Winter",
    deposit: "50.00",
    usual_price: "128.00",
    weekend_price: "158.50",
    special: [{ date: "2026-12-24", price: "198.00" }],
    renew_price: "118.00",
    hour_price: null,
    month_price: "2400.00",
    year_price: null,
  });
  expect((await desk.priceTemplates.info.query({ templateId: id })).prices).toMatchObject({
    depositMinor: 5000,
    weekendMinor: 15_850,
    renewalMinor: 11_800,
    dates: [{ date: "2026-12-24", priceMinor: 19_800 }],
  });
  const plain = { name: "Winter 2", deposit: "0", usual_price: "99", weekend_price: "99" };
  expect(await answerOf(client, "priceTemplate/add", { id, ...plain })).toEqual({ id });
  expect(await answerOf(client, "priceTemplate/info", { id })).toMatchObject({
    name: "Winter 2",
    deposit: "0.00",
    special: [],
    renew_price: null,
    month_price: null,
  });
});

it("a template is applied to rooms, counted in the list, and deleted without changing their prices", async () => {
  const id = await add({ name: "Autumn" });
  expect(await answerOf(client, "priceTemplate/setPriceTemplate", { template_id: id, room_ids: roomIds })).toEqual({});
  const [roomId = 0] = roomIds;
  const before = (await desk.rooms.detail.query({ roomId })).prices;
  expect(before).toMatchObject({ usualMinor: 12_800, weekendMinor: 15_850, monthMinor: 240_000 });
  expect((await list()).list.find((row) => row.id === id)).toEqual({
    id,
    name: "Autumn",
    deposit: "50.00",
    usual_price: "128.00",
    weekend_price: "158.50",
    room_count: 2,
  });
  expect(await answerOf(client, "priceTemplate/delete", { id })).toEqual({});
  expect((await desk.rooms.detail.query({ roomId })).prices).toEqual(before);
  expect((await list()).list.map((row) => row.id)).not.toContain(id);
  for (const [path, payload] of [
    ["info", { id }],
    ["add", { id, ...PRICES, name: "Gone" }],
    ["setPriceTemplate", { template_id: id, room_ids: roomIds, request_id: "again" }],
  ] as const) {
    expect((await refusalOf(client, `priceTemplate/${path}`, payload)).errno, path).toBe(100_007);
  }
});

it("templates are listed by name, page by page", async () => {
  for (const name of ["zz 1", "zz 2", "zz 3"]) await add({ name });
  const { list: all, total } = await list({ page_size: 200 });
  expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
  const last = await list({ page: total, page_size: 1 });
  expect([last.list.map(({ name }) => name), last.total]).toEqual([["zz 3"], total]);
  expect((await list({ page: total + 1, page_size: 1 })).list).toEqual([]);
});

it("names the invalid field", async () => {
  await add({ name: "Taken" });
  const refusal = await refusalOf(client, "priceTemplate/add", { ...PRICES, name: "Taken", deposit: "1" });
  expect([refusal.errno, refusal.data.reason, Object.keys(refusal.data.fields ?? {})]).toEqual([
    100_008,
    "name_taken",
    ["name"],
  ]);
  const refused = (payload: object) => fieldsOf("priceTemplate/add", { name: "Bad", ...PRICES, ...payload });
  expect(await refused({ name: undefined })).toEqual(["name"]);
  expect(await refused({ usual_price: undefined })).toEqual(["usual_price"]);
  expect(await refused({ usual_price: "1.005" })).toEqual(["usual_price"]);
  expect(await refused({ weekend_price: "0.50" })).toEqual(["weekend_price"]);
  expect(await refused({ special: [{ date: "2026-02-30", price: "100" }] })).toEqual(["date"]);
  expect(await refused({ special: "2026-12-24" })).toEqual(["special"]);
  const twice = [PRICES.special[0], PRICES.special[0]];
  expect(await refused({ special: twice })).toEqual(["date"]);
  expect(await fieldsOf("priceTemplate/setPriceTemplate", { template_id: 1 })).toEqual(["room_ids"]);
  expect(await fieldsOf("priceTemplate/info", {})).toEqual(["id"]);
  expect(await fieldsOf("priceTemplate/delete", {})).toEqual(["id"]);
});

it("is refused to staff", async () => {
  const clerk = await manageLogin(
    server,
    await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view", "prices.agree"] }),
    { address: "10.1.1.1" },
  );
  expect((await refusalOf(clerk, "priceTemplate/lists")).errno).toBe(100_006);
});

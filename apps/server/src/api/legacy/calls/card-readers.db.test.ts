import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Listed {
  list: { id: number; user_id: number | null }[];
  total: number;
}

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser["api"];
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = (await server.loginAs(owner)).api;
  client = await manageLogin(server, owner);
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const add = async (payload: object) =>
  (await answerOf<{ id: number }>(client, "cardDispenser/add", { name: "Front desk", type: 1, ...payload })).id;
const rowOf = async (id: number) =>
  (await answerOf<Listed>(client, "cardDispenser/lists", { page_size: 200 })).list.find((row) => row.id === id);
const customer = async (name: string) =>
  (await desk.customers.save.mutate({ kind: "company", name, mobile: "", email: "" })).id;

it("a reader is registered, changed by id while keeping its note, and listed", async () => {
  const id = await add({ device_no: "a1-07", type: "2" });
  await desk.cardReaders.save.mutate({ id, deviceNo: "A1-07", name: "Front desk", type: 2, note: "left drawer" });
  expect(await add({ id, device_no: "A1-08", name: "Bar", type: 3 })).toBe(id);
  expect(await desk.cardReaders.detail.query({ id })).toMatchObject({
    deviceNo: "A1-08",
    note: "left drawer",
    type: 3,
  });
  expect(await rowOf(id)).toEqual({
    id,
    device_no: "A1-08",
    name: "Bar",
    type: 3,
    user_id: null,
    user_name: "",
    customer_id: null,
    customer_name: "",
    online: 0,
    last_seen: null,
  });
});

it("moves from its holder to the named one, and otherwise stays with its holder", async () => {
  const id = await add({ device_no: "B-1", user_id: owner.id });
  const name = (await desk.staff.list.query()).find(({ operatorId }) => operatorId === owner.id)?.name;
  expect(await rowOf(id)).toMatchObject({ user_id: owner.id, user_name: name, customer_id: null });
  const customerId = await customer("Harbour Tours");
  await add({ id, device_no: "B-1", customer_id: customerId });
  await add({ id, device_no: "B-1", name: "Renamed" });
  expect(await rowOf(id)).toMatchObject({
    name: "Renamed",
    user_id: null,
    user_name: "",
    customer_id: customerId,
    customer_name: "Harbour Tours",
  });
  const both = await refusalOf(client, "cardDispenser/add", {
    id,
    device_no: "B-1",
    name: "x",
    type: 1,
    user_id: owner.id,
    customer_id: customerId,
  });
  expect([both.errno, Object.keys(both.data.fields ?? {})]).toEqual([100_001, ["customer_id"]]);
});

it("is not registered for an unknown holder", async () => {
  const form = { device_no: "C-1", name: "x", type: 1, user_id: 2_000_000_000 };
  expect((await refusalOf(client, "cardDispenser/add", form)).errno).toBe(100_007);
  expect((await refusalOf(client, "cardDispenser/checkStatus", { device_no: "C-1" })).errno).toBe(100_007);
});

it("reports whether it is online", async () => {
  await add({ device_no: "D-1" });
  const status = (device_no: string) => answerOf(client, "cardDispenser/checkStatus", { device_no });
  expect(await status("d-1")).toEqual({ online: 0, last_seen: null, bound: 0 });
  await desk.cardReaders.seen.mutate({ deviceNo: "D-1", type: 1 });
  const seenAt = Math.floor(server.clock.now().getTime() / 1000);
  await add({
    id: (await desk.cardReaders.list.query({ keyword: "D-1" })).rows[0]?.id,
    device_no: "D-1",
    user_id: owner.id,
  });
  expect(await status("D-1")).toEqual({ online: 1, last_seen: seenAt, bound: 1 });
  server.clock.advance(180_000);
  expect(await status("D-1")).toEqual({ online: 0, last_seen: seenAt, bound: 1 });
});

it("names invalid fields, and requires the permission", async () => {
  await add({ device_no: "E-1" });
  const refuse = (payload: object) => refusalOf(client, "cardDispenser/add", { name: "x", type: 1, ...payload });
  const refusal = await refuse({ device_no: "e-1" });
  expect([refusal.errno, refusal.data.reason, Object.keys(refusal.data.fields ?? {})]).toEqual([
    100_008,
    "device_taken",
    ["device_no"],
  ]);
  for (const [field, payload] of [
    ["device_no", {}],
    ["device_no", { device_no: "ü" }],
    ["name", { device_no: "E-2", name: "" }],
    ["type", { device_no: "E-2", type: 4 }],
  ] as const) {
    expect(Object.keys((await refuse(payload)).data.fields ?? {}), field).toEqual([field]);
  }
  expect((await refusalOf(client, "cardDispenser/checkStatus")).data.fields).toHaveProperty("device_no");
  const clerk = await manageLogin(
    server,
    await server.createOperator(hotel, { role: "staff", capabilities: ["cardReaders.view"] }),
    { address: "10.1.1.1" },
  );
  expect((await refusalOf(clerk, "cardDispenser/add", { device_no: "E-3", name: "x", type: 1 })).errno).toBe(100_006);
  expect((await answerOf<Listed>(clerk, "cardDispenser/lists", { page: 1, page_size: 1 })).list).toHaveLength(1);
});

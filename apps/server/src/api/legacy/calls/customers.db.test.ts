import { afterAll, beforeAll, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());

it("customers are listed with their stays and live cards, page by page", async () => {
  const { customers } = hotel.ownerDesk.api;
  const ann = {
    kind: "person",
    name: "Ann",
    mobile: "+4930123",
    email: "ann@b.example",
    company: "B",
    note: "VIP",
  } as const;
  const { id } = await customers.save.mutate(ann);
  await customers.freeze.mutate({ id, frozen: true });
  const create_time = Math.floor(server.clock.now().getTime() / 1000);
  const { kind: _kind, ...contact } = ann;
  const quince = { id: hotel.ids.customerId, name: "Quince customer", mobile: "", email: "", company: "", note: "" };
  expect(await answerOf(client, "room/clientList")).toEqual({
    list: [
      { id, ...contact, card_count: 0, stay_count: 0, freeze: 1, create_time },
      // One of the stay's two cards was revoked, but its lock hasn't confirmed that yet.
      { ...quince, card_count: 2, stay_count: 1, freeze: 0, create_time },
    ],
    total: 2,
    page: 1,
    page_size: 20,
  });
  expect(await answerOf(client, "room/clientList", { keyword: "b.example", page_size: "1" })).toMatchObject({
    list: [{ id }],
    total: 1,
    page_size: 1,
  });
});

it("a customer is removed, but not while one of their stays is checked in", async () => {
  const { customers } = hotel.ownerDesk.api;
  const { id } = await customers.save.mutate({ kind: "person", name: "Leaving", mobile: "", email: "" });
  await answerOf(client, "room/clientDelete", { id });
  expect((await customers.list.query({ keyword: "Leaving" })).total).toBe(0);
  expect((await refusalOf(client, "room/clientDelete", { id: 2_000_000_000 })).errno).toBe(100_007);
  expect(await refusalOf(client, "room/clientDelete", { id: hotel.ids.customerId })).toMatchObject({
    errno: 100_008,
    data: { reason: "in_use" },
  });
  expect((await refusalOf(client, "room/clientDelete")).data.fields).toHaveProperty("id");
});

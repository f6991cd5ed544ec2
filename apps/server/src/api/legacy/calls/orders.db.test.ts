import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface FolioEntry {
  order_id: number;
  type: string;
  amount: string;
  state: string;
  manage_id: number | null;
  room_name: string;
}
interface Listed {
  list: FolioEntry[];
  total: number;
  balance: string | null;
}
interface Moved {
  order_id: number;
  balance: string | null;
}

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let clerk: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  clerk = await manageLogin(server, hotel.clerk, { address: "10.1.1.1" });
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const list = (payload: object = {}) => answerOf<Listed>(client, "order/orderList", { ...payload });
const recharge = (amount: string) => answerOf<Moved>(client, "order/recharge", { amount, channel: "cash" });
const entryOf = async (id: number) => (await list({ page_size: 200 })).list.find(({ order_id }) => order_id === id);
const available = async () => (await hotel.ownerDesk.api.balance.get.query()).availableMinor;
const text = (minor: number): string => (minor / 100).toFixed(2);
const seconds = (ms = 0): number => Math.floor((server.clock.now().getTime() + ms) / 1000);
const fieldsOf = async (path: string, payload: object) =>
  Object.keys((await refusalOf(client, path, { ...payload })).data.fields ?? {});

describe("orderList", () => {
  it("lists orders newest first in the old format, with the balance", async () => {
    const { rows } = await hotel.ownerDesk.api.folio.list.query({ pageSize: 200 });
    const listed = await list({ page_size: 200 });
    expect(listed.list.map(({ order_id }) => order_id)).toEqual(rows.map(({ id }) => id));
    expect(listed.list.find(({ order_id }) => order_id === hotel.ids.entryId)).toEqual({
      order_id: hotel.ids.entryId,
      type: "room",
      amount: "200.00",
      state: "done",
      manage_id: hotel.ids.stayGuestId,
      room_name: "own 101",
      operator: expect.stringMatching(/^owner/),
      create_time: expect.any(Number),
    });
    expect(listed.balance).toBe(text(await available()));
    expect((await list({ page: 2, page_size: 1 })).list.map(({ order_id }) => order_id)).toEqual([rows[1]?.id]);
  });

  it("filters by type and time", async () => {
    const { order_id: id } = await recharge("12.00");
    const filteredList = await list({ type: "recharge", start: seconds(-1000), end: seconds(1000) });
    expect(filteredList.list.map(({ order_id, type }) => [order_id, type])).toEqual([[id, "recharge"]]);
    expect((await list({ type: "deposit" })).list.map(({ type }) => type)).toEqual(["deposit"]);
    expect((await list({ start: seconds(1000) })).list).toEqual([]);
    expect(await fieldsOf("order/orderList", { type: "withdrawal" })).toEqual(["type"]);
  });

  it("shows staff the orders of their rooms, and no balance", async () => {
    expect(await answerOf(clerk, "order/orderList")).toMatchObject({ list: [], total: 0, balance: null });
    const { clerk: operator, ids, ownerDesk } = hotel;
    const grants = [{ roomId: ids.roomId }];
    await ownerDesk.api.staff.permit.mutate({
      people: [{ operatorId: operator.id, capabilities: ["folio.view", "folio.refund"], grants }],
    });
    const clerkOrders = await answerOf<Listed>(clerk, "order/orderList");
    expect([new Set(clerkOrders.list.map(({ room_name }) => room_name)), clerkOrders.balance]).toEqual([
      new Set(["own 101"]),
      null,
    ]);
    const refunded = await answerOf<Moved>(clerk, "order/refund", { order_id: ids.entryId, amount: "1" });
    expect(refunded.balance).toBeNull();
    expect((await refusalOf(clerk, "order/recharge", { amount: "1", channel: "cash" })).errno).toBe(100_006);
  });
});

describe("refund", () => {
  it("uses the payment's channel, keeps the reason, and shows on the order", async () => {
    const { entryId } = hotel.ids;
    const before = await available();
    const payload = { order_id: entryId, amount: "10.00", reason: "No towels" };
    const { order_id: id, balance } = await answerOf<Moved>(client, "order/refund", payload);
    expect(balance).toBe(text(before - 1000));
    const { rows } = await hotel.ownerDesk.api.folio.list.query({ type: "refund" });
    const row = rows.find((entry) => entry.id === id);
    expect(row).toMatchObject({ channel: "cash", note: "No towels", refundsEntryId: entryId, amountMinor: 1000 });
    expect((await entryOf(entryId))?.state).toBe("partly_refunded");
    expect(await entryOf(id)).toMatchObject({ type: "refund", amount: "10.00", state: "done" });
    const refunds = rows.filter(({ refundsEntryId }) => refundsEntryId === entryId);
    const rest = 20_000 - refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    await answerOf(client, "order/refund", { order_id: entryId, amount: text(rest) });
    expect((await entryOf(entryId))?.state).toBe("refunded");
    const more = await refusalOf(client, "order/refund", { order_id: entryId, amount: "0.01" });
    expect([more.errno, more.data.reason]).toEqual([100_008, "refund_too_large"]);
  });

  it("of an unpaid charge reduces what is owed", async () => {
    const { api } = hotel.ownerDesk;
    const stay = await api.stays.detail.query({ stayId: hotel.ids.reservedStayId });
    const entry = stay.entries.find(({ type }) => type === "room");
    const money = await available();
    await answerOf(client, "order/refund", { order_id: entry?.id, amount: "5" });
    const after = await api.stays.detail.query({ stayId: hotel.ids.reservedStayId });
    expect(after.money.owedMinor).toBe(stay.money.owedMinor - 500);
    expect(await available()).toBe(money);
  });

  it("names missing fields, and does not find an order of another hotel", async () => {
    expect(await fieldsOf("order/refund", { amount: "1" })).toEqual(["order_id"]);
    expect(await fieldsOf("order/refund", { order_id: hotel.ids.entryId })).toEqual(["amount"]);
    expect(await fieldsOf("order/refund", { order_id: hotel.ids.entryId, amount: "0" })).toEqual(["amount"]);
    expect((await refusalOf(client, "order/refund", { order_id: 2_000_000_000, amount: "1" })).errno).toBe(100_007);
    const other = await seedTestHotel(server, "foreign");
    const foreign = { order_id: other.ids.entryId, amount: "1" };
    expect((await refusalOf(client, "order/refund", foreign)).errno).toBe(100_007);
  });
});

describe("the hotel's money", () => {
  it("comes in by recharge and leaves by cash to the withdrawal account, never more than is available", async () => {
    await server.database.prisma.withdrawalAccount.deleteMany({ where: { hotelId: hotel.ids.hotelId } });
    const withoutAccount = await refusalOf(client, "order/cash", { amount: "1.00" });
    expect([withoutAccount.errno, withoutAccount.data.reason]).toEqual([100_008, "withdrawal_account_missing"]);
    const account = { type: "bank", name: "Harbour Ltd", account: "DE02120300000000202051", bank: "Harbour Bank" };
    expect(await answerOf(client, "order/setCashData", account)).toEqual({});
    expect((await hotel.ownerDesk.api.balance.get.query()).account).toMatchObject({
      type: "bank",
      name: "Harbour Ltd",
      bank: "Harbour Bank",
      numberEnd: "2051",
    });
    const before = await available();
    const { order_id: id, balance } = await recharge("500.00");
    expect(balance).toBe(text(before + 50_000));
    expect(await entryOf(id)).toMatchObject({ type: "recharge", amount: "500.00", manage_id: null, room_name: "" });
    const withdrawal = await answerOf<Moved>(client, "order/cash", { amount: "20" });
    expect(withdrawal.balance).toBe(text(before + 48_000));
    expect(await entryOf(withdrawal.order_id)).toMatchObject({ type: "cash", amount: "20.00", state: "done" });
    const tooMuch = await refusalOf(client, "order/cash", { amount: text(before + 48_001) });
    expect([tooMuch.errno, tooMuch.data.reason]).toEqual([100_008, "balance_too_small"]);
    expect(await available()).toBe(before + 48_000);
  });

  it("contains an extra as income, what takes it back as a refund, and an undone withdrawal as money put in", async () => {
    const { api } = hotel.ownerDesk;
    const { stayId, stayGuestId } = hotel.ids;
    const extra = await api.folio.chargeExtra.mutate({ stayId, text: "Minibar", quantity: 2, unitMinor: 450 });
    expect(await entryOf(extra.entryId)).toMatchObject({ type: "room", amount: "9.00", manage_id: stayGuestId });
    const cancelled = await api.folio.cancelCharge.mutate({ entryId: extra.entryId, reason: "Wrong room" });
    expect(await entryOf(cancelled.entryId)).toMatchObject({ type: "refund", amount: "9.00", state: "done" });
    expect(await entryOf(extra.entryId)).toMatchObject({ state: "refunded" });
    const withdrawal = await answerOf<Moved>(client, "order/cash", { amount: "1.00" });
    const entryId = withdrawal.order_id;
    const undone = await api.folio.undoWithdrawal.mutate({ entryId, reason: "It came back" });
    expect(await entryOf(undone.entryId)).toMatchObject({ type: "recharge", amount: "1.00", state: "done" });
    expect(await entryOf(entryId)).toMatchObject({ type: "cash", amount: "1.00", state: "done" });
  });

  it("is refused with each missing or invalid field", async () => {
    expect(await fieldsOf("order/recharge", { channel: "cash" })).toEqual(["amount"]);
    expect(await fieldsOf("order/recharge", { amount: "1" })).toEqual(["channel"]);
    expect(await fieldsOf("order/recharge", { amount: "1.005", channel: "cash" })).toEqual(["amount"]);
    expect(await fieldsOf("order/cash", {})).toEqual(["amount"]);
    expect(await fieldsOf("order/setCashData", { type: "bank", name: "x" })).toEqual(["account"]);
    expect(await fieldsOf("order/setCashData", { type: "bank", name: "x", account: "123" })).toEqual(["account"]);
  });
});

describe("macMember", () => {
  it("never expires for a lock of the hotel, and is not found for another", async () => {
    expect(await answerOf(client, "order/macMember", { mac_id: "020000000101" })).toEqual({
      mac_id: "02:00:00:00:01:01",
      member: 1,
      expire: null,
      room_name: "own 101",
    });
    expect((await refusalOf(client, "order/macMember", { mac_id: "02:00:00:00:FF:FF" })).errno).toBe(100_007);
    expect(await fieldsOf("order/macMember", { mac_id: "no address" })).toEqual(["mac_id"]);
    expect(await fieldsOf("order/macMember", {})).toEqual(["mac_id"]);
  });
});

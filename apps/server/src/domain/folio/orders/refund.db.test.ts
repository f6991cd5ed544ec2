import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { detail } from "../../overview/stay-detail.queries.ts";
import * as orders from "./orders.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());

async function checkIn(): Promise<number> {
  const roomId = await hotel.createRoom(`M${++serial}`, { depositMinor: 0 });
  const input = checkInInput.parse({
    roomId,
    unit: "day",
    startsAt: NOW,
    endsAt: "2026-11-19T11:00:00.000Z",
    guests: [{ name: `Guest ${serial}` }],
  });
  return (await stays.checkIn(owner, input)).stayId;
}

const leaves = { channel: "cash", note: "" } as const;

it("gives one payment back once, whether by the charge or by the payment", async () => {
  const stayId = await checkIn();
  const { orderId: paymentId } = await orders.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const charge = (await detail(owner, stayId)).orders.find(({ type }) => type === "room");
  if (!charge) throw new Error("nothing was charged");
  await orders.refund(owner, { orderId: charge.id, amountMinor: 10_000, ...leaves });
  await expect(orders.refund(owner, { orderId: paymentId, amountMinor: 1, ...leaves })).rejects.toMatchObject({
    code: "refund_too_large",
    params: { leftMinor: 0 },
  });
  expect((await detail(owner, stayId)).money).toMatchObject({ paidMinor: 0, chargedMinor: 0, owedMinor: 0 });
});

it("gives one of many simultaneous refunds of an order out", async () => {
  const stayId = await checkIn();
  const { orderId } = await orders.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => orders.refund(owner, { orderId, amountMinor: 10_000, ...leaves })),
    stays.checkOut(owner, {
      stayId,
      refundDeposit: true,
      refundUnusedMinor: 10_000,
      channel: null,
      refundChannel: "cash",
      confirmUnpaid: true,
    }),
  ]);
  const { paidMinor } = (await detail(owner, stayId)).money;
  expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(paidMinor).toBe(0);
});

it("gives back the way an order was paid; what wasn't paid with it is struck off what is owed", async () => {
  const stayId = await checkIn();
  const charge = (await detail(owner, stayId)).orders.find(({ type }) => type === "room");
  if (!charge) throw new Error("nothing was charged");
  await orders.refundAsPaid(owner, { orderId: charge.id, amountMinor: 1_000, note: "late" });
  expect((await detail(owner, stayId)).money).toMatchObject({ paidMinor: 0, chargedMinor: 9_000, owedMinor: 9_000 });
  const { orderId } = await orders.pay(owner, { stayId, amountMinor: 9_000, channel: "card", note: "" });
  const refund = await orders.refundAsPaid(owner, { orderId, amountMinor: 2_000, note: "" });
  const { orders: all, money } = await detail(owner, stayId);
  expect(all.find(({ id }) => id === refund.orderId)).toMatchObject({ type: "refund", channel: "card" });
  expect(money).toMatchObject({ paidMinor: 7_000, owedMinor: 2_000 });
  const clerk = await hotel.scope("staff", { capabilities: ["orders.view"] });
  await expect(orders.refundAsPaid(clerk, { orderId, amountMinor: 1, note: "" })).rejects.toMatchObject({
    code: "no_permission",
  });
  const other = await (await world.createHotel()).scope();
  await expect(orders.refundAsPaid(other, { orderId, amountMinor: 1, note: "" })).rejects.toMatchObject({
    code: "not_found",
  });
});

it("tells nobody of an order of a room they weren't granted, whatever it is", async () => {
  const stayId = await checkIn();
  const { orderId } = await orders.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds: [] });
  for (const id of [orderId, 1_900_000_000]) {
    await expect(orders.refund(clerk, { orderId: id, amountMinor: 1, ...leaves })).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

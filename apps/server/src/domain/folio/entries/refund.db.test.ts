import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { detail } from "../../overview/stays.queries.ts";
import * as folio from "./entries.service.ts";

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

it("refunds one payment once, whether by its charge or by the payment", async () => {
  const stayId = await checkIn();
  const { entryId: paymentId } = await folio.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const charge = (await detail(owner, stayId)).entries.find(({ type }) => type === "room");
  if (!charge) throw new Error("nothing was charged");
  await folio.refund(owner, { entryId: charge.id, amountMinor: 10_000, ...leaves });
  await expect(folio.refund(owner, { entryId: paymentId, amountMinor: 1, ...leaves })).rejects.toMatchObject({
    code: "refund_too_large",
    params: { leftMinor: 0 },
  });
  expect((await detail(owner, stayId)).money).toMatchObject({ paidMinor: 0, chargedMinor: 0, owedMinor: 0 });
});

it("makes one of many simultaneous refunds of an entry", async () => {
  const stayId = await checkIn();
  const { entryId } = await folio.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => folio.refund(owner, { entryId, amountMinor: 10_000, ...leaves })),
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

it("refunds through the payment's channel, and reduces what is owed for the unpaid part", async () => {
  const stayId = await checkIn();
  const charge = (await detail(owner, stayId)).entries.find(({ type }) => type === "room");
  if (!charge) throw new Error("nothing was charged");
  await folio.refundAsPaid(owner, { entryId: charge.id, amountMinor: 1_000, note: "late" });
  expect((await detail(owner, stayId)).money).toMatchObject({ paidMinor: 0, chargedMinor: 9_000, owedMinor: 9_000 });
  const { entryId } = await folio.pay(owner, { stayId, amountMinor: 9_000, channel: "card", note: "" });
  const refund = await folio.refundAsPaid(owner, { entryId, amountMinor: 2_000, note: "" });
  const { entries: all, money } = await detail(owner, stayId);
  expect(all.find(({ id }) => id === refund.entryId)).toMatchObject({ type: "refund", channel: "card" });
  expect(money).toMatchObject({ paidMinor: 7_000, owedMinor: 2_000 });
  const clerk = await hotel.scope("staff", { capabilities: ["folio.view"] });
  await expect(folio.refundAsPaid(clerk, { entryId, amountMinor: 1, note: "" })).rejects.toMatchObject({
    code: "no_permission",
  });
  const other = await (await world.createHotel()).scope();
  await expect(folio.refundAsPaid(other, { entryId, amountMinor: 1, note: "" })).rejects.toMatchObject({
    code: "not_found",
  });
});

it("does not find an entry of a room that is not granted, whatever its type", async () => {
  const stayId = await checkIn();
  const { entryId } = await folio.pay(owner, { stayId, amountMinor: 10_000, ...leaves });
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view", "stays.manage"], roomIds: [] });
  for (const id of [entryId, 1_900_000_000]) {
    await expect(folio.refund(clerk, { entryId: id, amountMinor: 1, ...leaves })).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

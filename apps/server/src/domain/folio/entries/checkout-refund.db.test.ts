import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as stays from "../../desk/public.ts";
import * as folio from "./entries.service.ts";

const NOW = "2026-10-20T14:00:00.000Z";

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());

it("refunds at check-out no more than is still charged, after a cheaper room and a refund", async () => {
  const hotel = await world.createHotel({ timeZone: "Europe/Berlin" });
  const roomId = await hotel.createRoom("101", { usualMinor: 20_000 });
  const cheaper = await hotel.createRoom("102", { usualMinor: 10_000 });
  const owner = await hotel.scope();
  const booking = { roomId, unit: "day", guests: [{ name: "Ada" }], startsAt: NOW, endsAt: "2026-10-24T10:00:00.000Z" };
  const { stayId } = await stays.checkIn(owner, checkInInput.parse({ ...booking, channel: "cash", depositMinor: 0 }));
  const sumOf = async (account: "cash" | "revenue"): Promise<number> => {
    const where = { hotelId: hotel.id, account };
    const { _sum } = await world.database.prisma.ledgerEntry.aggregate({ where, _sum: { amountMinor: true } });
    return _sum.amountMinor ?? 0;
  };
  const expected = { agreedTotalMinor: null, expectedDifferenceMinor: null };
  const change = { stayId, roomId: cheaper, channel: "cash", disableOldCards: true, confirmDirty: true } as const;
  await stays.changeRoom(owner, { ...change, ...expected });
  const { id: entryId } = await world.database.prisma.folioEntry.findFirstOrThrow({
    where: { hotelId: hotel.id, type: "room" },
  });
  const amountMinor = await sumOf("cash");
  await folio.refund(owner, { entryId, amountMinor, channel: "cash", note: "" });
  const leave = { stayId, channel: null, refundDeposit: true, refundChannel: "cash", confirmUnpaid: true } as const;
  await expect(stays.checkOut(owner, { ...leave, refundUnusedMinor: 10_000 })).rejects.toMatchObject({
    code: "refund_too_large",
  });
  expect([await sumOf("cash"), await sumOf("revenue")]).toEqual([0, 0]);
  await stays.checkOut(owner, { ...leave, refundUnusedMinor: 0 });
  expect([await sumOf("cash"), await sumOf("revenue")]).toEqual([0, 0]);
});

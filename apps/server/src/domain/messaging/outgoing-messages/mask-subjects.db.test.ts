import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";

const MIGRATION = resolve(
  import.meta.dirname,
  "../../../../../../prisma/migrations/20261127232500_mask_subjects/migration.sql",
);

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

it("takes codes, links and the Wi-Fi password out of subjects that an earlier version stored, and nothing else", async () => {
  const { prisma, pool } = world.database;
  const hotel = await world.createHotel();
  const hotelId = hotel.id;
  await prisma.hotel.update({ where: { id: hotelId }, data: { wifiPassword: "grapefruit" } });
  const at = world.clock.now();
  const stay = await prisma.stay.create({
    data: { hotelId, state: "reserved", unit: "day", startsAt: at, endsAt: new Date(at.getTime() + 86_400_000) },
  });
  const guest = await prisma.guest.create({ data: { hotelId, name: "Ada" } });
  const { id: stayGuestId } = await prisma.stayGuest.create({
    data: { hotelId, stayId: stay.id, guestId: guest.id, primary: true },
  });
  async function subjectAfter(subject: string, isToGuest = true): Promise<string> {
    const id = randomUUID();
    const message = { id, hotelId, channel: "mail" as const, recipient: "ada@example.com", subject };
    await prisma.outgoingMessage.create({ data: { ...message, bodyBox: Buffer.from("x") } });
    if (isToGuest) {
      const own = { hotelId, stayId: stay.id, stayGuestId, messageId: id };
      const occurredAt = new Date(at.getTime() + (await prisma.guestMessage.count()) * 1_000);
      await prisma.guestMessage.create({ data: { ...own, event: "changed", occurredAt, dueAt: at } });
    }
    await pool.query(readFileSync(MIGRATION, "utf8"));
    return (await prisma.outgoingMessage.findUniqueOrThrow({ where: { id } })).subject;
  }
  expect(await subjectAfter("Code 482913")).toBe("Code ••••••");
  expect(await subjectAfter("482 913, grapefruit")).toBe("••••••, ••••••");
  expect(await subjectAfter(`https://stay.example/#${"A".repeat(22)}`)).toBe("https://stay.example/#••••••");
  const dates = "Room 101, 23.11.2026 – 24/11/2026, 15:00";
  expect(await subjectAfter(dates)).toBe(dates);
  expect(await subjectAfter("Your code 482913", false)).toBe("Your code 482913");
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { keyRing } from "../../../../test/harness/keys.ts";
import { retainHotels } from "../../compliance/privacy/retention.ts";
import { deleteOldRecords } from "./old-records.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

const INSTANTS = [
  "2024-01-31T10:00:00.000Z",
  "2026-05-18T13:59:59.999Z",
  "2026-05-18T13:59:59.999Z",
  "2026-05-18T14:00:00.000Z",
  "2026-11-18T13:00:00.000Z",
];

async function hotelWithRecords(): Promise<TestHotel> {
  const hotel = await world.createHotel();
  const { roomId, lockId } = await keyRing(world, hotel).door("1");
  await world.database.prisma.unlockRecord.createMany({
    data: INSTANTS.map((at, index) => ({
      ...{ hotelId: hotel.id, roomId, lockId, lockSeq: index + 1, at: new Date(at) },
      ...{ style: "card" as const, success: true },
    })),
  });
  return hotel;
}

async function remainingRecords(hotel: TestHotel): Promise<number[]> {
  const rows = await world.database.prisma.unlockRecord.findMany({
    where: { hotelId: hotel.id },
    orderBy: { lockSeq: "asc" },
    select: { lockSeq: true },
  });
  return rows.map(({ lockSeq }) => Number(lockSeq));
}

const keep = (hotel: TestHotel, months: number | null): Promise<unknown> =>
  world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { recordMonths: months } });

it("keeps all records until a hotel sets a limit, and then deletes that hotel's older ones in batches", async () => {
  const [hotel, neighbour] = [await hotelWithRecords(), await hotelWithRecords()];
  const scope = await hotel.scope();
  expect(await deleteOldRecords(scope, 2)).toBe(0);
  await keep(hotel, 6);
  expect(await deleteOldRecords(scope, 2)).toBe(3);
  expect(await remainingRecords(hotel)).toEqual([4, 5]);
  expect(await remainingRecords(neighbour)).toEqual([1, 2, 3, 4, 5]);
  expect(await deleteOldRecords(scope, 2)).toBe(0);
  const auditEntry = await world.database.prisma.auditEntry.findMany({
    where: { hotelId: hotel.id, action: "privacy.dropRecords" },
    orderBy: { seq: "asc" },
  });
  expect(auditEntry.map(({ after }) => after)).toEqual([
    { months: 6, records: 2, before: "2026-05-18T14:00:00.000Z" },
    { months: 6, records: 1, before: "2026-05-18T14:00:00.000Z" },
  ]);
});

it("deletes all records of one instant, even when a batch ends among them", async () => {
  const hotel = await hotelWithRecords();
  await world.database.prisma.unlockRecord.updateMany({
    where: { hotelId: hotel.id },
    data: { at: new Date("2025-01-01T00:00:00.000Z") },
  });
  await keep(hotel, 1);
  expect(await deleteOldRecords(await hotel.scope(), 2)).toBe(5);
});

it("runs with the daily retention, including hotels that keep documents", async () => {
  const [keeps, drops] = [await hotelWithRecords(), await hotelWithRecords()];
  await keep(drops, 12);
  const files = { erase: async () => undefined } as unknown as Parameters<typeof retainHotels>[0]["files"];
  const scopes = async (id: number) => (id === drops.id ? drops.scope() : id === keeps.id ? keeps.scope() : null);
  await retainHotels({ database: world.database, scopes, files }, null);
  expect(await remainingRecords(drops)).toEqual([2, 3, 4, 5]);
  expect(await remainingRecords(keeps)).toEqual([1, 2, 3, 4, 5]);
});

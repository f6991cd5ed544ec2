import { trafficInput } from "@innkey/shared/schemas/access/unlocks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, keyRing } from "../../../../test/harness/keys.ts";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { traffic } from "./traffic.queries.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let door: Door;
let pool: Door;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel({ timeZone: "Europe/Berlin" });
  owner = await hotel.scope();
  const keys = keyRing(world, hotel);
  door = await keys.door("1");
  pool = await keys.door("Pool");
});

async function opened(at: Door, instants: string[], fields: Partial<Prisma.UnlockRecordCreateManyInput> = {}) {
  await world.database.prisma.unlockRecord.createMany({
    data: instants.map((instant) => ({
      hotelId: hotel.id,
      roomId: at.roomId,
      lockId: at.lockId,
      lockSeq: Date.parse(instant),
      at: new Date(instant),
      style: "card" as const,
      success: true,
      ...fields,
    })),
  });
}

/** Returns the buckets that are not empty. */
async function readBusyBuckets(input: object, scope = owner) {
  const { buckets } = await traffic(scope, trafficInput.parse(input));
  return buckets.filter((bucket) => bucket.opened + bucket.refused > 0);
}

describe("door traffic", () => {
  it("counts by hour of the hotel's day, both times of a repeated hour", async () => {
    // Clocks go back at 03:00 on 25 October 2026: 00:30Z and 01:30Z are both 02:30 in Berlin.
    await opened(door, ["2026-10-24T21:59:59.999Z"]);
    await opened(door, [
      "2026-10-24T22:00:00Z",
      "2026-10-25T00:30:00Z",
      "2026-10-25T01:30:00Z",
      "2026-10-25T22:59:59Z",
    ]);
    await opened(door, ["2026-10-25T23:00:00Z"]);
    expect(await readBusyBuckets({ date: "2026-10-25", span: "day" })).toEqual([
      { bucket: 0, opened: 1, refused: 0 },
      { bucket: 2, opened: 2, refused: 0 },
      { bucket: 23, opened: 1, refused: 0 },
    ]);
    const { buckets } = await traffic(owner, trafficInput.parse({ date: "2026-03-29", span: "day" }));
    expect(buckets.map(({ bucket }) => bucket)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
  });

  it("counts by day of a month, with refusals apart and without alarms", async () => {
    await opened(door, [
      "2026-10-31T22:59:59Z",
      "2026-10-31T23:00:00Z",
      "2026-11-30T22:59:59Z",
      "2026-11-30T23:00:00Z",
    ]);
    await opened(door, ["2026-11-05T12:00:00Z"], { success: false, reason: "expired" });
    await opened(door, ["2026-11-05T13:00:00Z"], { success: false, style: "unknown" });
    expect(await readBusyBuckets({ date: "2026-11-17", span: "month" })).toEqual([
      { bucket: 1, opened: 1, refused: 0 },
      { bucket: 5, opened: 0, refused: 1 },
      { bucket: 30, opened: 1, refused: 0 },
    ]);
    const { buckets } = await traffic(owner, trafficInput.parse({ date: "2026-02-10", span: "month" }));
    expect(buckets).toHaveLength(28);
  });

  it("covers one room, or all that the caller can see", async () => {
    await opened(door, ["2026-11-05T12:00:00Z"]);
    await opened(pool, ["2026-11-05T12:00:00Z"]);
    const day = { date: "2026-11-05", span: "day" };
    const hour = (count: number) => [{ bucket: 13, opened: count, refused: 0 }];
    expect(await readBusyBuckets(day)).toEqual(hour(2));
    expect(await readBusyBuckets({ ...day, roomId: pool.roomId })).toEqual(hour(1));
    const capabilities = ["unlocks.view"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [door.roomId] });
    expect(await readBusyBuckets(day, clerk)).toEqual(hour(1));
    await expect(readBusyBuckets({ ...day, roomId: pool.roomId }, clerk)).rejects.toMatchObject({ code: "not_found" });
    const other = await (await world.createHotel()).scope();
    expect(await readBusyBuckets(day, other)).toEqual([]);
    await expect(readBusyBuckets({ ...day, roomId: door.roomId }, other)).rejects.toMatchObject({ code: "not_found" });
    const nobody = await hotel.scope("staff", { roomIds: [door.roomId] });
    await expect(readBusyBuckets(day, nobody)).rejects.toMatchObject({ code: "no_permission" });
  });
});

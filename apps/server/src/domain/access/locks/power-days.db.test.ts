import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLockBench, type LockBench } from "../../../../test/locks/locks.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { list, listBatteries } from "./locks.queries.ts";

const NOW = "2026-11-18T22:30:00.000Z";
const DAY_MS = 86_400_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let bench: LockBench;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  bench = createLockBench(world);
});

async function addLock(name: string) {
  return bench.addLock(owner, { roomId: await hotel.createRoom(name) });
}
const daysOf = async (lockId: number) =>
  (await world.database.prisma.lockPowerDay.findMany({ where: { lockId }, orderBy: { day: "asc" } })).map(
    ({ day, power }) => [day.toISOString().slice(0, 10), power],
  );

/** Stores a level for each day up to today, the newest last, and reports the newest. */
async function store(lockId: number, levels: readonly number[]): Promise<void> {
  await world.database.prisma.lockPowerDay.createMany({
    data: levels.map((power, index) => {
      const day = new Date(world.clock.now().getTime() - (levels.length - 1 - index) * DAY_MS);
      return { hotelId: hotel.id, lockId, day, power };
    }),
  });
  await world.database.prisma.lock.update({ where: { id: lockId }, data: { power: levels.at(-1) ?? null } });
}
/** Levels of so many days that end at `last`, falling by `perDay`. */
const falling = (days: number, last: number, perDay: number): number[] =>
  Array.from({ length: days }, (_, index) => Math.round(last + (days - 1 - index) * perDay));
async function weeksLeft(lockId: number): Promise<number | null | undefined> {
  return (await list(owner)).find(({ id }) => id === lockId)?.weeksLeft;
}

describe("the battery level of a lock", () => {
  it("is recorded once a day by the hotel's clock, as last reported on it", async () => {
    const lock = await addLock("101");
    const silent = await addLock("102");
    await bench.status(lock, "online", { power: 81 });
    await bench.plane.recordPower();
    await bench.status(lock, "online", { power: 80 });
    await bench.plane.recordPower();
    // Midnight in Berlin was at 23:00.
    world.clock.set("2026-11-18T23:10:00.000Z");
    await bench.status(lock, "online", { power: 79 });
    await bench.plane.recordPower();
    expect(await daysOf(lock.id)).toEqual([
      ["2026-11-18", 80],
      ["2026-11-19", 79],
    ]);
    expect(await daysOf(silent.id)).toEqual([]);
    world.clock.set("2026-11-21T12:00:00.000Z");
    await bench.plane.recordPower();
    expect(await daysOf(lock.id)).toHaveLength(2);
    world.clock.set("2028-01-21T12:00:00.000Z");
    await bench.plane.recordPower();
    expect(await daysOf(lock.id)).toEqual([]);
  });
});

describe("the estimate of how long a battery lasts", () => {
  it("follows the straight line through its levels", async () => {
    const lock = await addLock("101");
    // From 80 % it takes 77 days at a point a day to 3 %.
    await store(lock.id, falling(20, 80, 1));
    expect(await weeksLeft(lock.id)).toBe(11);
    const empty = await addLock("102");
    await store(empty.id, falling(20, 3, 1));
    expect(await weeksLeft(empty.id)).toBe(0);
    const slow = await addLock("103");
    await store(slow.id, falling(40, 90, 0.1));
    expect(await weeksLeft(slow.id)).toBe(53);
  });

  it("says that not enough is known after a few days, without a fall, and after the battery was replaced", async () => {
    const [young, flat, renewed, justRenewed] = [
      await addLock("101"),
      await addLock("102"),
      await addLock("103"),
      await addLock("104"),
    ];
    expect(await weeksLeft(young.id)).toBeNull();
    await store(young.id, falling(13, 80, 1));
    await store(flat.id, falling(30, 80, 0));
    await store(renewed.id, [...falling(40, 10, 1), ...falling(10, 95, 0.5)]);
    await store(justRenewed.id, falling(40, 10, 1));
    await world.database.prisma.lock.update({ where: { id: justRenewed.id }, data: { power: 100 } });
    for (const { id } of [young, flat, renewed, justRenewed]) expect(await weeksLeft(id)).toBeNull();
    const proven = await addLock("105");
    await store(proven.id, falling(70, 80, 0));
    expect(await weeksLeft(proven.id)).toBe(53);
    // Small rises are noise, not another battery.
    const noisy = await addLock("106");
    await store(
      noisy.id,
      falling(21, 60, 1).map((power, index) => power + (index % 3)),
    );
    expect(await weeksLeft(noisy.id)).toBeGreaterThan(6);
  });

  it("lists the most urgent first, to nobody else than those who see the door", async () => {
    const [good, soon, low] = [await addLock("101"), await addLock("102"), await addLock("103")];
    await store(good.id, falling(40, 90, 0.5));
    await store(soon.id, falling(20, 25, 1));
    await store(low.id, [15]);
    const batteries = await listBatteries(owner);
    expect(batteries.map(({ roomName, weeksLeft: weeks }) => [roomName, weeks])).toEqual([
      ["103", null],
      ["102", 3],
      ["101", 25],
    ]);
    expect(batteries[0]).toMatchObject({ lockId: low.id, floor: 0, zones: [], power: 15 });
    const staff = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [soon.roomId ?? 0] });
    expect((await listBatteries(staff)).map(({ lockId }) => lockId)).toEqual([soon.id]);
    await expect(listBatteries(await hotel.scope("staff"))).rejects.toMatchObject({ code: "no_permission" });
    expect(await listBatteries(await (await world.createHotel()).scope())).toEqual([]);
  });
});

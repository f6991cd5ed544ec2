import { lockArgs } from "@innkey/shared/locks/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../test/harness/hotel.ts";
import { createLockBench } from "../../../test/locks/locks.ts";
import { openArgs } from "../access/lock-commands/commands.ts";
import { update } from "./update-hotel.ts";

const deps = { retention: { enqueue: async () => undefined } };
let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

it("another time zone is sent to every lock that has keys, because locks judge days and hours themselves", async () => {
  const hotel = await world.createHotel();
  const owner = await hotel.scope();
  const bench = createLockBench(world);
  const lock = await bench.addLock(owner, { roomId: await hotel.createRoom("101") }, true);
  await bench.addLock(owner, { mac: "A4:C1:38:00:00:99" }, false);
  const queuedZones = async (): Promise<[lockId: number, zone: string][]> => {
    const where = { hotelId: hotel.id, type: "configure", state: "queued" } as const;
    const commands = await world.database.prisma.lockCommand.findMany({ where });
    return commands.map((command) => [command.lockId, lockArgs.configure.parse(openArgs(owner, command)).timeZone]);
  };
  expect(await queuedZones()).toEqual([]);
  await update(owner, deps, { timeZone: "Asia/Tokyo" });
  expect(await queuedZones()).toEqual([[lock.id, "Asia/Tokyo"]]);
  await bench.drain(owner, lock.id);
  await update(owner, deps, { name: "Other", timeZone: "Asia/Tokyo" });
  expect(await queuedZones()).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, type KeyRing, keyRing } from "../../../../test/harness/keys.ts";
import { createLockBench, type LockBench } from "../../../../test/locks/locks.ts";
import type { Lock, Prisma } from "../../../adapters/postgres/generated/client.ts";
import { type Scope, scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import { enqueue } from "./commands.ts";
import { dropOldCommands, enqueueDueReadBacks } from "./upkeep.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MINUTE_MS = 60_000;
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
  await world.database.pool.query("DELETE FROM lock");
  hotel = await world.createHotel();
  owner = await hotel.scope();
  bench = createLockBench(world);
});

describe("reading locks back", () => {
  let lock: Lock;
  const ask = () =>
    enqueueDueReadBacks(world.database.pool, systemScopes(world.database, scopeFactory(world)), world.clock.now());
  const set = (data: Prisma.LockUncheckedUpdateInput, id = lock.id) =>
    world.database.prisma.lock.update({ where: { id }, data });
  const fails = async (error: "invalid" | "duplicate") => {
    await owner.write((tx) =>
      enqueue(owner, tx, lock.id, { type: "raise_floor", subject: "floor:guest", args: { kind: "guest", floor: 3 } }),
    );
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error });
  };

  beforeEach(async () => {
    lock = await bench.addLock(owner, { roomId: await hotel.createRoom("101") });
  });

  it("happens once a day", async () => {
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(0);
    await bench.dispatch(lock);
    await bench.ack(lock, { held: [] });
    world.clock.advance(DAY_MS - MINUTE_MS);
    expect(await ask()).toBe(0);
    world.clock.advance(2 * MINUTE_MS);
    expect(await ask()).toBe(1);
  });

  it("happens once after a failure", async () => {
    await set({ readBackAt: owner.now() });
    expect(await ask()).toBe(0);
    await fails("invalid");
    world.clock.advance(MINUTE_MS);
    expect(await ask()).toBe(1);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "internal" });
    world.clock.advance(MINUTE_MS);
    expect(await ask()).toBe(0);
  });

  it("skips locks that are offline, never configured, low on battery, or of another driver", async () => {
    for (const data of [
      { online: false },
      { online: true, configuredAt: null },
      { configuredAt: owner.now(), power: 19 },
      { power: 80, driver: "ttlock" as const },
      { driver: "mqtt" as const, breakerOpenedAt: owner.now() },
    ]) {
      await set(data);
      expect(await ask()).toBe(0);
    }
    await set({ breakerOpenedAt: null });
    expect(await ask()).toBe(1);
  });

  it("is limited to a few locks at a time", async () => {
    for (let n = 0; n < 22; n += 1) await bench.addLock(owner, { roomId: await hotel.createRoom(`2${n}`) });
    expect([await ask(), await ask(), await ask()]).toEqual([20, 3, 0]);
  });
});

describe("old commands", () => {
  let keys: KeyRing;
  let door: Door;
  const LONG_AGO = new Date(Date.parse(NOW) - 91 * DAY_MS);
  const RECENTLY = new Date(Date.parse(NOW) - 89 * DAY_MS);

  beforeEach(async () => {
    keys = keyRing(world, hotel);
    door = await keys.door("101");
  });

  const command = async (fields: Partial<Prisma.LockCommandUncheckedCreateInput> = {}): Promise<string> => {
    const ended = { state: "acknowledged" as const, createdAt: LONG_AGO, endedAt: LONG_AGO };
    return (await keys.command(door, { ...ended, subject: randomUUID(), ...fields })).id;
  };
  const remainingCommands = async (): Promise<string[]> => {
    await dropOldCommands(world.database.pool, new Date(NOW));
    return (await world.database.prisma.lockCommand.findMany({ orderBy: { seq: "asc" } })).map(({ id }) => id);
  };

  it("are deleted, unless they are unfinished or recent", async () => {
    await command();
    await command({ state: "superseded" });
    const remaining = [
      await command({ state: "queued", endedAt: null }),
      await command({ endedAt: RECENTLY }),
      await command({ createdAt: RECENTLY, endedAt: RECENTLY }),
    ];
    expect(await remainingCommands()).toEqual(remaining);
  });

  it("stay while their credential may still open", async () => {
    const live = await keys.credential(door, { state: "confirmed", passcode: {} });
    const revokedCredential = await keys.credential(door, { state: "revoked", passcode: {} });
    const sent = await command({ type: "set_credential", credentialId: live.id });
    await command({ type: "set_credential", credentialId: revokedCredential.id });
    expect(await remainingCommands()).toEqual([sent]);
  });

  it("stay while a revoked card or the last command about a number depends on them", async () => {
    const about = (uid: string, type: "block_card" | "allow_card") => ({ type, subject: `card:${uid}` });
    await keys.card({ uid: "AAAAAAA1", state: "revoking" });
    await keys.card({ uid: "AAAAAAA2", state: "revoked" });
    const risky = [await command(about("AAAAAAA1", "block_card")), await command(about("AAAAAAA1", "block_card"))];
    await command(about("AAAAAAA2", "block_card"));
    const last = await command(about("AAAAAAA2", "block_card"));
    await command({ ...about("AAAAAAA3", "block_card"), expiresAt: LONG_AGO });
    await command({ ...about("AAAAAAA4", "allow_card"), expiresAt: LONG_AGO });
    expect(await remainingCommands()).toEqual([...risky, last]);
  });

  it("are deleted however many there are", async () => {
    const row = {
      hotelId: hotel.id,
      lockId: door.lockId,
      type: "unlock" as const,
      subject: "unlock",
    };
    const ended = { state: "acknowledged" as const, createdAt: LONG_AGO, endedAt: LONG_AGO };
    await world.database.prisma.lockCommand.createMany({
      data: Array.from({ length: 2_500 }, () => ({ ...row, ...ended })),
    });
    expect(await remainingCommands()).toEqual([]);
  });
});

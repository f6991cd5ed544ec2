import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../test/harness/hotel.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

const NAME = "SELECT name FROM hotel WHERE id = $1";

it("one hotel whose writes wait for each other leaves connections for other hotels", async () => {
  const [busy, other] = [await (await world.createHotel()).scope(), await (await world.createHotel()).scope()];
  const lock = "SELECT id FROM hotel WHERE id = $1 FOR UPDATE";
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked = (): void => undefined;
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const first = busy.write(async (tx) => {
    await tx.sql.rows(lock);
    locked();
    await released;
  });
  await isLocked;
  const waiting = Array.from({ length: 20 }, () => busy.write((tx) => tx.sql.rows(lock)));
  const answer = await Promise.race([
    other.write((tx) => tx.sql.rows(NAME)).then(() => "answered"),
    delay(3_000).then(() => "starved"),
  ]);
  const own = await Promise.race([busy.sql.rows(NAME).then(() => "answered"), delay(3_000).then(() => "starved")]);
  release();
  await Promise.all([first, ...waiting]);
  expect({ answer, own }).toEqual({ answer: "answered", own: "answered" });
});

const RENAME = "UPDATE hotel SET name = $2 WHERE id = $1 RETURNING name";

it("prepared statements of a write belong to its transaction, together with those of Prisma", async () => {
  const [scope, other] = [await (await world.createHotel()).scope(), await (await world.createHotel()).scope()];
  const nameOf = async (): Promise<string | undefined> => (await scope.sql.rows<{ name: string }>(NAME))[0]?.name;
  const before = await nameOf();
  const rolledBack = scope.write(async (tx) => {
    await tx.db.hotel.updateMany({ data: { name: "Through Prisma" } });
    expect(await tx.sql.prepared("test-hotel-name", NAME)).toEqual([{ name: "Through Prisma" }]);
    await tx.sql.prepared("test-rename", RENAME, "Directly");
    expect(await tx.db.hotel.findFirst({ select: { name: true } })).toEqual({ name: "Directly" });
    await other.write(async (inner) => {
      await inner.sql.prepared("test-rename", RENAME, "Of another write");
    });
    expect(await tx.sql.prepared("test-hotel-name", NAME)).toEqual([{ name: "Directly" }]);
    throw new Error("stop");
  });
  await expect(rolledBack).rejects.toThrow("stop");
  expect(await nameOf()).toBe(before);
  expect(await other.sql.rows(NAME)).toEqual([{ name: "Of another write" }]);
});

it("a prepared statement that comes after the end of its transaction is refused and not run", async () => {
  const scope = await (await world.createHotel()).scope();
  const before = await scope.sql.rows(NAME);
  for (const end of ["commit", "rollback"]) {
    let late: (() => Promise<unknown>) | undefined;
    const write = scope.write(async (tx) => {
      late = () => tx.sql.prepared("test-rename", RENAME, "Too late");
      if (end === "rollback") throw new Error("stop");
    });
    await write.catch(() => undefined);
    await expect(late?.()).rejects.toThrow("has ended");
  }
  expect(await scope.sql.rows(NAME)).toEqual(before);
});

it("a constraint that refuses a prepared statement is a domain error", async () => {
  const scope = await (await world.createHotel()).scope();
  const add = "INSERT INTO room_group (hotel_id, name, sort) VALUES ($1, 'Twice', 0)";
  const twice = scope.write(async (tx) => {
    for (let n = 0; n < 2; n += 1) await tx.sql.prepared("test-add-group", add);
  });
  await expect(twice).rejects.toMatchObject({ code: "name_taken" });
});

it("a write plans its prepared statements once per connection, and no others", async () => {
  const scope = await (await world.createHotel()).scope();
  const planned = "SELECT name AS planned FROM hotel WHERE id = $1";
  const other = "SELECT name AS other FROM hotel WHERE id = $1";
  const statements = await scope.write(async (tx) => {
    for (let n = 0; n < 3; n += 1) {
      await tx.sql.prepared("test-planned", planned);
      await tx.sql.rows(other);
    }
    return tx.sql.rows<{ name: string; runs: number }>(
      `SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
        WHERE $1::int IS NOT NULL AND statement = ANY ($2::text[])`,
      [planned, other],
    );
  });
  expect(statements).toEqual([{ name: "test-planned", runs: 3 }]);
});

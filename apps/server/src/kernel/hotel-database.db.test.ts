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

it("a write plans its prepared statements once per connection, and no others", async () => {
  const scope = await (await world.createHotel()).scope();
  const other = "SELECT name AS other FROM hotel WHERE id = $1";
  const statements = await scope.write(async (tx) => {
    for (let n = 0; n < 3; n += 1) {
      await tx.sql.prepared("test-hotel-name", NAME);
      await tx.sql.rows(other);
    }
    return tx.sql.rows<{ name: string; runs: number }>(
      `SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
        WHERE $1::int IS NOT NULL AND statement = ANY ($2::text[])`,
      [NAME, other],
    );
  });
  expect(statements).toEqual([{ name: "test-hotel-name", runs: 3 }]);
});

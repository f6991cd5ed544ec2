import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import { BYTES_COLUMNS, SEALED_COLUMNS } from "./sealed-columns.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld("2026-03-02T10:00:00.000Z");
});
afterAll(() => world.close());

it("lists every bytes column of the database, and no other", async () => {
  const { rows } = await world.database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'bytea'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(BYTES_COLUMNS).sort());
});

it("names the encrypted column from which each hash is recomputed", () => {
  const sealed = SEALED_COLUMNS.map(({ name }) => name);
  for (const fate of Object.values(BYTES_COLUMNS)) {
    if ("hashWith" in fate) expect(sealed).toContain(fate.hashWith);
  }
});

it("treats every column named _box as encrypted", () => {
  const boxes = Object.keys(BYTES_COLUMNS).filter((name) => name.endsWith("_box"));
  expect(boxes.filter((name) => !SEALED_COLUMNS.some((column) => column.name === name))).toEqual([]);
});

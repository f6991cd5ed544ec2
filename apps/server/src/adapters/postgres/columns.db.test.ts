import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { connectDatabase, type Database } from "./client.ts";
import { columnText } from "./columns.ts";

let own: { url: string; drop(): Promise<void> };
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  database = connectDatabase(own.url, 1, () => undefined);
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

/** Returns what PostgreSQL reads from a column of that type. */
async function read(type: string, values: Parameters<typeof columnText>[0]): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ value: unknown }>(
    `SELECT x.value FROM unnest($1::${type}[], $2::int[]) WITH ORDINALITY AS x (value, filler, turn) ORDER BY turn`,
    [columnText(values), columnText(values.map(() => 0))],
  );
  return rows.map(({ value }) => value);
}

it("arrives as it was written, whatever its texts contain", async () => {
  const texts = [
    "",
    "plain",
    'a "b" c',
    "back\\slash",
    "{curly}",
    "a,b",
    "NULL",
    "null",
    " space ",
    "new\nline",
    "日本",
    "'",
    null,
  ];
  expect(await read("text", texts)).toEqual(texts);
});

it("arrives as numbers, truth values and instants", async () => {
  expect(await read("int", [1, -2, null, 3])).toEqual([1, -2, null, 3]);
  expect(await read("float8", [1e21, 0.5, 9_007_199_254_740_991])).toEqual([1e21, 0.5, 9_007_199_254_740_991]);
  expect(await read("boolean", [true, false, null])).toEqual([true, false, null]);
  const instants = [new Date("2026-11-18T14:00:00.123Z"), null, new Date("2020-01-01T00:00:00.000Z")];
  expect(await read("timestamptz", instants)).toEqual(instants);
});

it("arrives as nulls if it has no value at all", async () => {
  expect(await read("text", [null, null])).toEqual([null, null]);
  expect(await read("text", [])).toEqual([]);
});

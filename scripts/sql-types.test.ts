import { Project } from "ts-morph";
import { expect, test } from "vitest";
import type { RecordedResult, Shape } from "../apps/server/test/harness/record-sql.ts";
import { compareRow, type DatabaseType } from "./sql-types.ts";

const TYPES: DatabaseType[] = [
  { oid: 16, name: "bool", element: 0, isArray: false, labels: null },
  { oid: 20, name: "int8", element: 0, isArray: false, labels: null },
  { oid: 23, name: "int4", element: 0, isArray: false, labels: null },
  { oid: 25, name: "text", element: 0, isArray: false, labels: null },
  { oid: 900, name: "stay_unit", element: 0, isArray: false, labels: ["day", "hour"] },
  { oid: 1007, name: "_int4", element: 23, isArray: true, labels: null },
  { oid: 1184, name: "timestamptz", element: 0, isArray: false, labels: null },
  { oid: 3802, name: "jsonb", element: 0, isArray: false, labels: null },
];
const oids = new Map(TYPES.map(({ name, oid }) => [name, oid]));
const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { strict: true } });

/** Compares a type with columns, each of a PostgreSQL type and with what came. */
function compare(
  type: string,
  columns: Record<string, [type: string, shape?: Shape]>,
  reader: RecordedResult["reader"] = "plain",
): string[] {
  const file = project.createSourceFile("row.ts", `export type Row = ${type};`, { overwrite: true });
  const row = file.getTypeAliasOrThrow("Row").getType().compilerType;
  const recorded = Object.entries(columns).map(([name, [of, shape = { kinds: [] }]]) => ({
    name,
    oid: oids.get(of) ?? 0,
    shape,
  }));
  const types = new Map(TYPES.map((one) => [one.oid, one]));
  return compareRow(project.getTypeChecker().compilerObject, row, { reader, columns: recorded }, types).map(
    ({ path, message }) => `${path} ${message}`,
  );
}

test("a type that matches the selected columns has no problems", () => {
  expect(
    compare("{ id: number; unit: 'day' | 'hour'; at: string | null; rooms: number[]; more?: string }", {
      id: ["int4", { kinds: ["number"] }],
      unit: ["stay_unit", { kinds: ["string"], texts: ["day"] }],
      at: ["timestamptz", { kinds: ["null", "string"] }],
      rooms: ["_int4", { kinds: ["array"], elements: { kinds: ["number"] } }],
    }),
  ).toEqual([]);
});

test("a missing, a superfluous and a duplicate column are found", () => {
  expect(compare("{ id: number; name: string }", { id: ["int4"], nmae: ["text"] })).toEqual([
    "name is in the type and not selected",
    "nmae is selected and not in the type",
  ]);
});

test("a different type is found, depending on the reader of the row", () => {
  expect(compare("{ id: string; ok: number }", { id: ["int4"], ok: ["bool"] })).toEqual([
    "id is int4, which comes as number, and the type is string",
    "ok is bool, which comes as boolean, and the type is number",
  ]);
  const row = "{ at: string; count: string }";
  expect(compare(row, { at: ["timestamptz"], count: ["int8"] })).toEqual([]);
  expect(compare(row, { at: ["timestamptz"], count: ["int8"] }, "prisma")).toEqual([
    "at is timestamptz, which comes as Date, and the type is string",
    "count is int8, which comes as bigint, and the type is string",
  ]);
  expect(compare("{ rooms: string[] }", { rooms: ["_int4"] })).toEqual([
    "rooms[] is int4, which comes as number, and the type is string",
  ]);
});

test("null is found where the type excludes it, also in an array", () => {
  expect(compare("{ id: number }", { id: ["int4", { kinds: ["number", "null"] }] })).toEqual([
    "id came as null, and the type is number",
  ]);
  expect(compare("{ ids: number[] }", { ids: ["_int4", { kinds: ["array"], elements: { kinds: ["null"] } }] })).toEqual(
    ["ids[] came as null, and the type is number"],
  );
});

test("a text outside a union and a value that the database lacks are found", () => {
  expect(compare("{ unit: 'day' | 'week' }", { unit: ["stay_unit", { kinds: ["string"], texts: ["hour"] }] })).toEqual([
    `unit came as "hour", and the type is "day" | "week"`,
    `unit is never "week", and the type is "day" | "week"`,
  ]);
});

test("JSON is compared in depth", () => {
  const number: Shape = { kinds: ["number"] };
  const shape: Shape = {
    kinds: ["array"],
    elements: {
      kinds: ["object"],
      objects: 2,
      properties: { id: { times: 2, shape: number }, note: { times: 1, shape: { kinds: ["null"] } } },
    },
  };
  expect(compare("{ rows: { id: number; note?: string | null }[] }", { rows: ["jsonb", shape] })).toEqual([]);
  expect(compare("{ rows: { id: string; note: string; at: Date }[] }", { rows: ["jsonb", shape] })).toEqual([
    "rows[].id came as number, and the type is string",
    "rows[].note came as null, and the type is string",
    "rows[].note is missing at times, and is not optional",
    "rows[].at never came and is in the type",
  ]);
});

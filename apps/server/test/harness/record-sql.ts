/**
 * While INNKEY_SQL_RECORD names a folder, the database tests record there what each statement of the source returns: its
 * columns, PostgreSQL types, nulls and the structure of JSON. scripts/sql-types.ts compares this with the types that the
 * source asserts.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll } from "vitest";
import { PLAIN_TYPES } from "../../src/adapters/postgres/client.ts";
import { sqlCalls } from "../../src/kernel/hotel-database.ts";

/** The kinds of values seen in one place. */
export interface Shape {
  kinds: ("null" | "string" | "number" | "boolean" | "array" | "object")[];
  /** Some of the texts */
  texts?: string[];
  /** Number of objects; the shapes of their properties follow */
  objects?: number;
  properties?: Record<string, { times: number; shape: Shape }>;
  elements?: Shape;
}

/** What converted the values: Prisma in a transaction, PLAIN_TYPES, or pg itself. */
export type Reader = "prisma" | "plain" | "pg";

export interface RecordedResult {
  reader: Reader;
  columns: { name: string; oid: number; shape: Shape }[];
}

export interface RecordedStatement {
  text: string;
  /** Call stacks of the statement, innermost call first, as `path:line:column` */
  calls: string[][];
  results: RecordedResult[];
}

const folder = process.env.INNKEY_SQL_RECORD;
const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));
/** Files between a call in the source and this file */
const OWN = /record-sql\.ts$|adapters\/postgres\/client\.ts$|node_modules\/(?:\.pnpm\/)?pg/;
const JSON_OIDS = new Set([114, 3802]);
const CALLS = 6;
const TEXTS = 40;
const TEXT_LENGTH = 60;
const ROWS = 200;
const DEPTH = 8;

/** Records of this process since the last test file */
const statements = new Map<string, { calls: Map<string, string[]>; results: Map<string, RecordedResult> }>();
const mappedCalls = new Map<string, string[]>();
let files = 0;

function statementOf(text: string) {
  let statement = statements.get(text);
  if (!statement) {
    statement = { calls: new Map(), results: new Map() };
    statements.set(text, statement);
  }
  return statement;
}

/** Returns the source's calls that led here. Mapping a stack to the source is slow, so each distinct one is mapped once. */
function readCalls(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 20;
  const holder = new Error();
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = holder.stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  const key = sites.map((site) => `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`).join("\n");
  let calls = mappedCalls.get(key);
  if (!calls) {
    const mapped = prepareStackTrace ? String(prepareStackTrace(new Error(), sites)) : key;
    calls = [];
    for (const line of mapped.split("\n")) {
      const [, path, row, column] = /\(?(?:file:\/\/)?([^\s()]+):(\d+):(\d+)\)?$/.exec(line) ?? [];
      if (!path?.includes(sep)) continue;
      if (OWN.test(path)) continue;
      if (!path.startsWith(SOURCE) || path.endsWith(".test.ts")) break;
      calls.push(`${path.slice(SOURCE.length)}:${row}:${column}`);
      if (calls.length === CALLS) break;
    }
    mappedCalls.set(key, calls);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return calls;
}

function recordCall(text: string): void {
  const calls = readCalls();
  if (calls.length > 0) statementOf(text).calls.set(calls.join("\n"), calls);
}

function addValue(shape: Shape, value: unknown, depth = 0): void {
  const kind = kindOf(value);
  if (!shape.kinds.includes(kind)) shape.kinds.push(kind);
  if (typeof value === "string" && value.length <= TEXT_LENGTH) {
    shape.texts ??= [];
    if (shape.texts.length < TEXTS && !shape.texts.includes(value)) shape.texts.push(value);
  }
  if (depth === DEPTH) return;
  if (kind === "array") {
    shape.elements ??= { kinds: [] };
    for (const element of value as unknown[]) addValue(shape.elements, element, depth + 1);
  }
  if (kind === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    shape.objects = (shape.objects ?? 0) + 1;
    shape.properties ??= {};
    for (const [name, inner] of Object.entries(value as object)) {
      shape.properties[name] ??= { times: 0, shape: { kinds: [] } };
      const property = shape.properties[name];
      property.times += 1;
      addValue(property.shape, inner, depth + 1);
    }
  }
}

function kindOf(value: unknown): Shape["kinds"][number] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}

function recordResult(text: string, reader: Reader, { fields, rows }: pg.QueryArrayResult | pg.QueryResult): void {
  if (fields.length === 0) return;
  const { results } = statementOf(text);
  const key = [reader, ...fields.map(({ name, dataTypeID }) => `${name}:${dataTypeID}`)].join(" ");
  let result = results.get(key);
  if (!result) {
    result = { reader, columns: fields.map(({ name, dataTypeID: oid }) => ({ name, oid, shape: { kinds: [] } })) };
    results.set(key, result);
  }
  for (const row of rows.slice(0, ROWS) as (unknown[] | Record<string, unknown>)[]) {
    for (const [index, { name, oid, shape }] of result.columns.entries()) {
      const value = Array.isArray(row) ? row[index] : row[name];
      // Prisma parses JSON itself, after this.
      addValue(
        shape,
        JSON_OIDS.has(oid) && reader === "prisma" && typeof value === "string" ? JSON.parse(value) : value,
      );
    }
  }
}

const DECLARED = /^DECLARE \w+ NO SCROLL CURSOR FOR /;
type Query = (this: pg.Client, ...args: unknown[]) => unknown;

function watchQueries(): void {
  const query = pg.Client.prototype.query as unknown as Query;
  const poolQuery = pg.Pool.prototype.query as unknown as Query;
  const declared = new WeakMap<pg.Client, string>();

  pg.Pool.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text } = readArguments(args);
    if (text !== null) recordCall(text);
    return poolQuery.apply(this, args);
  } as unknown as typeof pg.Pool.prototype.query;

  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text, config } = readArguments(args);
    if (text === null) return query.apply(this, args);
    const opened = DECLARED.test(text);
    if (opened) declared.set(this, text.replace(DECLARED, ""));
    else recordCall(text);
    const queryText = text.startsWith("FETCH ") ? (declared.get(this) ?? text) : text;
    const reader = config.types === PLAIN_TYPES ? "plain" : config.rowMode === "array" ? "prisma" : "pg";
    const record = (result: unknown): void => {
      if (result && !Array.isArray(result)) recordResult(queryText, reader, result as pg.QueryResult);
    };
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === "function") {
      args[last] = (error: unknown, result: unknown) => {
        record(result);
        callback(error, result);
      };
      return query.apply(this, args);
    }
    const answer = query.apply(this, args) as Promise<unknown>;
    answer.then(record, () => {});
    return answer;
  } as unknown as typeof pg.Client.prototype.query;
}

/** Returns no text for a cursor or a copy. */
function readArguments([first]: unknown[]): { text: string | null; config: { types?: unknown; rowMode?: string } } {
  if (typeof first === "string") return { text: first, config: {} };
  const config = first as { text?: string; types?: unknown; rowMode?: string; submit?: unknown };
  return { text: typeof config?.submit === "function" ? null : (config?.text ?? null), config };
}

function writeRecords(target: string): void {
  const records = [...statements]
    .filter(([, { calls }]) => calls.size > 0)
    .map(
      ([text, { calls, results }]): RecordedStatement => ({
        text,
        calls: [...calls.values()],
        results: [...results.values()],
      }),
    );
  statements.clear();
  files += 1;
  if (records.length === 0) return;
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${process.pid}-${process.hrtime.bigint()}-${files}.json`), JSON.stringify(records));
}

// Test files share a process, and each loads this file.
const once = globalThis as typeof globalThis & { watchesSql?: (target: string) => void };
if (folder) {
  if (!once.watchesSql) {
    watchQueries();
    sqlCalls.onCall = recordCall;
    once.watchesSql = writeRecords;
  }
  afterAll(() => once.watchesSql?.(folder));
}

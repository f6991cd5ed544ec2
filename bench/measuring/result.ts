/** What a bench measured: one JSON file of this form for each bench. */
export interface BenchResult {
  bench: string;
  /** when the run began, as an ISO instant */
  date: string;
  machine: Machine;
  /** version of Node, such as "v20.20.2" */
  node: string;
  /** commit that was measured, with "+" if files were changed since; null outside a repository */
  commit: string | null;
  isTiny: boolean;
  parameters: Record<string, Parameter>;
  rows: Row[];
}

export interface Machine {
  cores: number;
  processor: string;
  memoryGb: number;
  /** average number of processes that wanted to run in the minute before the start */
  loadAtStart: number;
}

export type Parameter = number | string | boolean | null | readonly number[];

/** One line of one table. The field names end with their units, such as `p50Ms`; null is a value that wasn't measured. */
export type Row = { table: string } & Record<string, string | number | null>;

/** Reads a result. @throws Error that says what is wrong with it */
export function parseResult(text: string): BenchResult {
  const result: unknown = JSON.parse(text);
  checkResult(result);
  return result;
}

export function checkResult(result: unknown): asserts result is BenchResult {
  if (!isObject(result)) throw new Error("A result is an object");
  for (const field of ["bench", "date", "node"]) expectType(result, field, "string");
  expectType(result, "isTiny", "boolean");
  if (Number.isNaN(Date.parse(String(result.date)))) throw new Error(`The date ${result.date} is no instant`);
  if (result.commit !== null) expectType(result, "commit", "string");
  if (!isObject(result.machine)) throw new Error("machine is missing");
  expectType(result.machine, "processor", "string");
  for (const field of ["cores", "memoryGb", "loadAtStart"]) expectType(result.machine, field, "number");
  if (!isObject(result.parameters)) throw new Error("parameters is missing");
  if (!Array.isArray(result.rows) || result.rows.length === 0) throw new Error("There is no row");
  result.rows.forEach(checkRow);
}

function checkRow(row: unknown, index: number): void {
  const name = `Row ${index + 1}`;
  if (!isObject(row) || typeof row.table !== "string") throw new Error(`${name} doesn't name its table`);
  for (const [field, value] of Object.entries(row)) {
    const isValue = value === null || typeof value === "string" || Number.isFinite(value);
    if (!isValue) throw new Error(`${name} (${row.table}) has ${value} as ${field}`);
  }
  if (Object.keys(row).length < 2) throw new Error(`${name} (${row.table}) has no values`);
}

function expectType(value: Record<string, unknown>, field: string, type: string): void {
  if (typeof value[field] !== type) throw new Error(`${field} is ${value[field]} instead of a ${type}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import type { BenchResult, Parameter, Row } from "../measuring/result.ts";

type Parameters = Record<string, Parameter>;
type Value = Row[string] | undefined;

/** A column of a table: its heading, and how it shows a row. */
export interface Column {
  heading: string | ((parameters: Parameters) => string);
  cell: (row: Row) => string;
}

/** Writes one part of a result as Markdown. */
export type Block = (result: BenchResult) => string;

/** Makes a block of the rows with this table's name, without columns that are empty. `note` is a sentence below it. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  note?: (rows: readonly Row[], parameters: Parameters) => string,
): Block {
  return ({ rows, parameters }) => {
    const own = rowsOf(rows, name);
    const head = columns.map(({ heading }) => (typeof heading === "string" ? heading : heading(parameters)));
    const cells = own.map((row) => columns.map(({ cell }) => cell(row)));
    const isShown = (_: unknown, column: number): boolean => cells.some((row) => row[column] !== "");
    const table = markdownTable(
      head.filter(isShown),
      cells.map((row) => row.filter(isShown)),
    );
    const below = note?.(own, parameters);
    return below ? `${table}\n\n${below}` : table;
  };
}

export const rowsOf = (rows: readonly Row[], table: string): Row[] => rows.filter((row) => row.table === table);

/**
 * Formats a table, or nothing without rows, with columns of equal width, so that it can be read in the source too.
 * Columns of numbers are on the right.
 */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const columns = head.map((heading, column) => {
    const cells = rows.map((cells) => cells[column] ?? "");
    const isText = cells.some((cell) => !NUMBER.test(cell)) || cells.every((cell) => cell === "");
    return { isText, width: Math.max(MIN_WIDTH, heading.length, ...cells.map(({ length }) => length)) };
  });
  const line = (cells: readonly string[]): string => {
    const padded = columns.map(({ isText, width }, column) => {
      const cell = cells[column] ?? "";
      return isText ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const ruler = columns.map(({ isText, width }) => (isText ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(ruler), ...rows.map(line)].join("\n");
}

const MIN_WIDTH = 3;
const NUMBER = /^(-?[\d.,]+×?)?$/;

/** The machine, the day and the conditions of a run as one sentence. */
export function conditionsOf({ machine, node, date, commit }: BenchResult, conditions: string): string {
  const { cores, processor, memoryGb, loadAtStart } = machine;
  const at = commit === null ? "" : ` at ${commit}`;
  const parts = [`${cores} cores (${processor})`, `${memoryGb} GB`, `Node ${node}`, `load ${loadAtStart} at the start`];
  return `Measured ${date.slice(0, 10)}${at}: ${parts.join(", ")}${conditions && `; ${conditions}`}.`;
}

export const text = (field: string, heading: Column["heading"] = field): Column => ({
  heading,
  cell: (row) => formatText(row[field]),
});

export const decimals = (field: string, heading: Column["heading"], digits: number): Column => ({
  heading,
  cell: (row) => formatDecimals(row[field], digits),
});

export const whole = (field: string, heading: Column["heading"]): Column => decimals(field, heading, 0);

export const ratio = (field: string, heading = "ratio"): Column => ({
  heading,
  cell: (row) => (row[field] === null ? "" : `${formatDecimals(row[field], Number(row[field]) < 10 ? 2 : 0)}×`),
});

export const formatWhole = (value: Value | Parameter): string => formatDecimals(value, 0);

/** Formats milliseconds with two significant digits below ten. */
export const formatMs = (ms: Value): string => formatDecimals(ms, Number(ms) < 10 ? 1 : 0);

export function formatDecimals(value: Value | Parameter, digits: number): string {
  if (typeof value !== "number") return formatText(value);
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const formatText = (value: Value | Parameter): string =>
  value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);

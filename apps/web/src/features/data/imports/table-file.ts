import { guessSeparator, parseCsv, type Separator, toCsv } from "@innkey/shared/csv";
import type { LocalDate } from "@innkey/shared/hotel-time";
import type { DateOrder } from "@innkey/shared/imports/cells";
import {
  guessColumns,
  type ImportColumn,
  type ImportKind,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_CELL,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from "@innkey/shared/imports/columns";
import type { ImportInput } from "@innkey/shared/schemas/data";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { decode, type Encoding, guessEncoding } from "./decode-table.ts";
import { templateOf } from "./template.ts";

export const MEGABYTES = MAX_IMPORT_BYTES / 1024 / 1024;

/** Chosen source: a file's bytes, a workbook's cells, or pasted text. */
export type Source =
  | { name: string; bytes: Uint8Array }
  /** `cells` is null if the workbook can't be read. */
  | { name: string; size: number; cells: string[][] | null }
  | { name: null; text: string };

/** A table together with the settings it was read with. */
export interface TableFile {
  source: Source;
  encoding: Encoding;
  separator: Separator;
  headings: string[];
  rows: string[][];
  /** Reason why the table can't be imported, as text for the person. */
  problem: string | null;
}

/** Reads a source with the given encoding and separator, or with the most likely ones. */
export function readTable(
  source: Source,
  kind: ImportKind,
  hints: Partial<Pick<TableFile, "encoding" | "separator">> = {},
): TableFile {
  if ("cells" in source) return readCells(source);
  const encoding = hints.encoding ?? (source.name === null ? "utf-8" : guessEncoding(source.bytes, kind));
  const emptyTable = { source, encoding, separator: hints.separator ?? ",", headings: [], rows: [] };
  const size = source.name === null ? source.text.length : source.bytes.length;
  if (size > MAX_IMPORT_BYTES) return { ...emptyTable, problem: t("imports.tooLarge", { megabytes: MEGABYTES }) };
  const text = source.name === null ? source.text : decode(source.bytes, encoding);
  if (text === null) return { ...emptyTable, problem: t("imports.unreadable") };
  const separator = hints.separator ?? guessSeparator(text);
  return { source, encoding, separator, ...tableOf(parseCsv(text, separator)) };
}

/** Reads the cells of a workbook, which needs neither encoding nor separator. */
function readCells(source: Extract<Source, { cells: unknown }>): TableFile {
  const tableOptions = { source, encoding: "utf-8", separator: "," } as const;
  const emptyTable = { ...tableOptions, headings: [], rows: [] };
  if (source.size > MAX_IMPORT_BYTES) {
    return { ...emptyTable, problem: t("imports.tooLarge", { megabytes: MEGABYTES }) };
  }
  if (source.cells === null) return { ...emptyTable, problem: t("imports.unreadableWorkbook") };
  return { ...tableOptions, ...tableOf(source.cells.filter((row) => row.some((cell) => cell !== ""))) };
}

function tableOf(cells: readonly string[][]): Pick<TableFile, "headings" | "rows" | "problem"> {
  const [headings = [], ...rows] = cells.map((row) => row.slice(0, MAX_IMPORT_COLUMNS));
  const problem =
    rows.length === 0
      ? t("imports.noRows")
      : rows.length > MAX_IMPORT_ROWS
        ? t("imports.tooManyRows", { rows: formatNumber(MAX_IMPORT_ROWS) })
        : null;
  return { headings, rows: problem ? [] : rows, problem };
}

/** Choices that decide how a table is imported. */
export interface Plan {
  kind: ImportKind;
  mapping: (ImportColumn | null)[];
  dateOrder: DateOrder;
  existing: ImportInput["existing"];
}

export function planOf(kind: ImportKind, { headings }: TableFile): Plan {
  return { kind, mapping: guessColumns(kind, headings), dateOrder: "auto", existing: "skip" };
}

/** Returns the input for the server. Cells of unassigned columns are sent empty. */
export function inputOf(plan: Plan, rows: readonly string[][]): ImportInput {
  return {
    ...plan,
    rows: rows.map((row) =>
      plan.mapping.map((column, at) => (column ? (row[at] ?? "").slice(0, MAX_IMPORT_CELL) : "")),
    ),
  };
}

/** Has the browser save a CSV file. It starts with a byte order mark, which tells spreadsheets that it is UTF-8. */
export function saveCsv(name: string, rows: readonly (readonly string[])[], separator: Separator = ","): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", toCsv(rows, separator)], { type: "text/csv;charset=utf-8" }));
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/** Saves a table with the console's own headings and two rows that show what belongs where. */
export function saveTemplate(kind: ImportKind, today: LocalDate): void {
  saveCsv(t(`nav.${kind}`), templateOf(kind, today));
}

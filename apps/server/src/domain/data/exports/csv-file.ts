import {
  BEFORE_SIGNS,
  CELL_ENDS,
  defuseFormulas,
  FORMULA_AT_START,
  FORMULA_INSIDE,
  FORMULA_SIGNS,
} from "@innkey/shared/csv";
import type { ColumnKind, FileColumnName } from "@innkey/shared/lists";
import type { ExportFilters } from "@innkey/shared/schemas/data";
import { UNLOCK_REASONS, UNLOCK_STYLES } from "@innkey/shared/words";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { findSubjects, recordsFileQuery } from "../../access/public.ts";
import type { CellValue, Reader, Table } from "./columns.ts";

const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Formats one cell as RFC 4180 requires. Texts that a spreadsheet would read as formulas are defused; numbers stay
 * numbers.
 */
export function csvCell(
  kind: ColumnKind,
  value: CellValue,
  { times, digits }: Pick<Table, "times" | "digits">,
): string {
  if (value === null || value === "") return "";
  if (kind === "number") return String(value);
  if (kind === "money") return (Number(value) / 10 ** digits).toFixed(digits);
  if (kind === "time") return times.text(String(value));
  const text = defuseFormulas(String(value));
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""').replace(/\r\n?|\n/g, "\r\n")}"` : text;
}

/** Returns the heading line. The byte order mark makes spreadsheets read the file as UTF-8. */
export function csvHead({ headings, ...table }: Pick<Table, "headings" | "times" | "digits">): Buffer {
  return Buffer.from(`\uFEFF${headings.map((heading) => csvCell("text", heading, table)).join(",")}\r\n`);
}

export async function* csvFile(table: Table): AsyncGenerator<Buffer> {
  yield csvHead(table);
  for await (const rows of table.batches) {
    let lines = "";
    for (const row of rows) {
      for (let i = 0; i < row.length; i += 1) {
        lines += `${i === 0 ? "" : ","}${csvCell(table.kinds[i] ?? "text", row[i] ?? null, table)}`;
      }
      lines += "\r\n";
    }
    yield Buffer.from(lines);
  }
}

// Below: unlock events formatted by PostgreSQL, for files of millions of rows. Translated words, local times and defused
// texts are the same as in lists/access-lists.ts and csvCell (a test compares them).

/** Adds a parameter to the statement and returns its placeholder. */
type Put = (value: unknown) => string;
type ColumnSql = (put: Put, reader: Reader, holder: string) => string;

const ALARM = "(NOT u.success AND u.style = 'unknown' AND u.reason = '')";
/** Quotes the text as a PostgreSQL string literal. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const RISKY_FIRST_CODES = [...FORMULA_SIGNS, ...BEFORE_SIGNS, ...CELL_ENDS]
  .map((sign) => sign.codePointAt(0))
  .join(", ");
/**
 * Checks cheaply whether a text may need `defuseFormulas`, because regular expressions on every text of a million rows
 * are slow.
 */
const mayNeedDefusing = (sql: string): string =>
  `(ascii(${sql}) IN (${RISKY_FIRST_CODES}) OR translate(${sql}, ${literal(CELL_ENDS)}, '') <> ${sql})`;

/** SQL expression of a text, defused and with line ends as by `defuseFormulas` (shared/csv.ts) and csvCell. */
const defusedSql = (sql: string): string => `CASE WHEN ${mayNeedDefusing(sql)}
  THEN regexp_replace(regexp_replace(regexp_replace(${sql}, ${literal(FORMULA_INSIDE)}, '\\1''', 'g'),
    ${literal(FORMULA_AT_START)}, ''''), '\\r\\n?', E'\\n', 'g') ELSE nullif(${sql}, '') END`;

function words(put: Put, sql: string, values: readonly string[], word: (value: string) => string): string {
  return `CASE ${sql} ${values.map((value) => `WHEN '${value}' THEN ${put(word(value))}`).join(" ")}`;
}

const COLUMNS: Record<FileColumnName<"unlocks">, ColumnSql> = {
  at: (put, { scope }) => `to_char(u.at AT TIME ZONE ${put(scope.hotel.timeZone)}, 'YYYY-MM-DD HH24:MI:SS')`,
  room: () => defusedSql("r.name"),
  style: (put, { t }) =>
    `CASE WHEN ${ALARM} THEN ${put(t("doors.strip.alarm"))}
      ELSE ${words(put, "u.style", UNLOCK_STYLES, (style) => t(`room.style.${style}`))} END END`,
  result: (put, { t }) =>
    `CASE WHEN u.success THEN ${put(t("room.opened"))} WHEN ${ALARM} THEN ${put(t("doors.strip.alarm"))} ELSE ${put(t("room.refused"))} END`,
  reason: (put, { t }) =>
    `CASE WHEN NOT u.success THEN ${words(put, "u.reason", UNLOCK_REASONS, (reason) => t(`doors.unlockReason.${reason}`))} END END`,
  guest: () => defusedSql("g.name"),
  holder: (_put, _reader, holder) => defusedSql(holder),
  operator: () => defusedSql("o.name"),
  source: (put, { t }) =>
    `${words(put, "u.source", ["lock", "gateway", "console"], (source) => t(`room.source.${source}`))} ELSE ${defusedSql("u.source")} END`,
  content: () => defusedSql("u.content"),
};

const isColumn = (name: string): name is FileColumnName<"unlocks"> => Object.hasOwn(COLUMNS, name);

/** Returns the statement whose rows are the file's lines. */
export async function recordLines(
  scope: Scope,
  { keyword, ...filters }: ExportFilters<"unlocks">,
  columns: readonly string[],
  reader: Reader,
): Promise<HotelQuery> {
  const subjects = keyword ? await findSubjects(scope, keyword) : undefined;
  return recordsFileQuery({ ...filters, subjects }, scope.roomIds, filters, (put, holder) =>
    columns
      .filter(isColumn)
      .map((name) => COLUMNS[name](put, reader, holder))
      .join(", "),
  );
}

const LF = 10;
const CR = 13;
const QUOTE = 34;

/** PostgreSQL ends lines with LF, RFC 4180 requires CRLF. `onRows` receives the number of rows of each part. */
export async function* crlfLines(parts: AsyncIterable<Buffer>, onRows: (rows: number) => void): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const part of parts) {
    const hasNoQuotes = !isQuoted && !part.includes(QUOTE);
    const lines = Buffer.allocUnsafe(part.length * 2);
    let [size, rows, from] = [0, 0, 0];
    for (let at = part.indexOf(LF); at !== -1; at = part.indexOf(LF, from)) {
      if (!hasNoQuotes) isQuoted = isQuotedAfter(part.subarray(from, at), isQuoted);
      size += part.copy(lines, size, from, at);
      lines[size] = CR;
      lines[size + 1] = LF;
      size += 2;
      from = at + 1;
      if (!isQuoted) rows += 1;
    }
    if (!hasNoQuotes) isQuoted = isQuotedAfter(part.subarray(from), isQuoted);
    size += part.copy(lines, size, from);
    onRows(rows);
    yield lines.subarray(0, size);
  }
}

/** Checks whether a quoted cell is still open after these bytes; `isQuotedBefore`: it was open before them. */
function isQuotedAfter(bytes: Buffer, isQuotedBefore: boolean): boolean {
  let isQuoted = isQuotedBefore;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) isQuoted = !isQuoted;
  return isQuoted;
}

import type { ExportFormat } from "@innkey/shared/exports";
import { LANGUAGES } from "@innkey/shared/languages";
import { columnOf, LISTS, type ListName } from "@innkey/shared/lists";
import { minorDigits } from "@innkey/shared/money";
import { EXPORT_FILTERS, type ExportInput } from "@innkey/shared/schemas/data/exports";
import type { Scope } from "../../../kernel/scope.ts";
import { translator } from "../../../kernel/translate.ts";
import type { Reader, Table } from "./columns.ts";
import { csvFile, csvHead } from "./csv-file.ts";
import { LocalTimes } from "./local-times.ts";
import { crlfLines, recordLines } from "./record-lines.ts";
import { EXPORTS, type OpenList } from "./registry.ts";
import { xlsxFile } from "./xlsx-file.ts";

/** What the file contains, without its name. */
export type FileRequest = Pick<ExportInput, "list" | "filters" | "columns" | "page" | "format">;

export interface OpenFile {
  /** number of rows in the file */
  total: number;
  /** can be read once, in constant memory; `onRows` receives the number of rows of each part */
  bytes(onRows: (rows: number) => void): AsyncIterable<Buffer>;
}

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

function readerOf(scope: Scope): Reader {
  const { currency, timeZone } = scope.hotel;
  return {
    scope,
    t: translator(scope.language),
    times: new LocalTimes(timeZone),
    digits: minorDigits(currency),
  };
}

/** Returns the column headings in the reader's language. */
function headingsOf(list: ListName, columns: readonly string[], { t }: Reader): string[] {
  return columns.map((name) => t(columnOf(list, name)?.heading ?? name));
}

/**
 * Opens a list as the caller sees it now, ready to be written. @throws no_permission; invalid_input for filters and
 * columns; not_found for what the caller can't see
 */
export async function openFile(scope: Scope, { list, filters, columns, page, format }: FileRequest): Promise<OpenFile> {
  scope.require("exports.make");
  scope.require(LISTS[list].capability);
  const open = await EXPORTS[list].open(scope, filters, columns);
  const [counted] = await scope.sql.rows<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM (${open.query.text}) counted`,
    ...open.query.values,
  );
  const matching = counted?.rows ?? 0;
  const skip = page ? (page.page - 1) * page.pageSize : 0;
  const total = page ? Math.max(0, Math.min(page.pageSize, matching - skip)) : matching;
  const reader = readerOf(scope);
  const table = (onRows: (rows: number) => void): Table => ({
    ...reader,
    title: reader.t(LISTS[list].title),
    headings: headingsOf(list, columns, reader),
    kinds: open.kinds,
    batches: cellsOf(scope, open, reader, page && { skip, take: page.pageSize }, onRows),
    rightToLeft: LANGUAGES.some(({ code, dir }) => code === scope.language && dir === "rtl"),
  });
  return {
    total,
    bytes(onRows) {
      if (format === "xlsx") return xlsxFile(table(onRows));
      if (list !== "unlocks" || page) return csvFile(table(onRows));
      const narrowed = EXPORT_FILTERS.unlocks.parse(filters);
      const lines = scope.sql.copied(recordLines(scope, narrowed, columns, reader));
      return headed(csvHead(table(onRows)), crlfLines(lines, onRows));
    },
  };
}

async function* cellsOf(
  scope: Scope,
  { query, cells }: OpenList,
  reader: Reader,
  part: { skip: number; take: number } | null,
  onRows: (rows: number) => void,
): AsyncGenerator<ReturnType<OpenList["cells"]>> {
  for await (const rows of scope.sql.batches<unknown>(query, part ?? undefined)) {
    onRows(rows.length);
    yield cells(rows, reader);
  }
}

async function* headed(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

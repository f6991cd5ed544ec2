import { DomainError, fieldMessages } from "@innkey/shared/errors";
import type { ExportFormat } from "@innkey/shared/exports";
import { LANGUAGES } from "@innkey/shared/languages";
import { type ColumnKind, columnOf, type FileColumnName, LISTS, type ListName } from "@innkey/shared/lists";
import { minorDigits } from "@innkey/shared/money";
import { EXPORT_FILTERS, type ExportFilters, type ExportInput } from "@innkey/shared/schemas/data";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { translator } from "../../../kernel/translate.ts";
import { type CellValue, type ExportList, LocalTimes, type Reader, type Table } from "./columns.ts";
import { crlfLines, csvFile, csvHead, recordLines } from "./csv-file.ts";
import { cardReadersList, cardsList, facesList, locksList, passcodesList, unlocksList } from "./lists/access-lists.ts";
import { breakfastList, customersList, entriesList, guestsList, historyList } from "./lists/guest-lists.ts";
import { alertsList, auditList, occupancyList, roomsList, staffList } from "./lists/hotel-lists.ts";
import { xlsxFile } from "./xlsx-file.ts";

/** A list with validated filters and the chosen columns. */
interface OpenList {
  query: HotelQuery;
  kinds: ColumnKind[];
  cells(rows: readonly unknown[], reader: Reader): CellValue[][];
}

interface ExportSource {
  /** @throws invalid_input for unknown filters or columns; as the screen for what the caller can't see */
  open(scope: Scope, filters: unknown, columns: readonly string[]): Promise<OpenList>;
}

function exportSource<List extends ListName, Row>(list: List, source: ExportList<List, Row>): ExportSource {
  const isColumn = (name: string): name is FileColumnName<List> => Object.hasOwn(source.columns, name);
  return {
    async open(scope, filters, columns) {
      const parsed = EXPORT_FILTERS[list].safeParse(filters);
      if (!parsed.success) throw new DomainError("invalid_input", {}, fieldMessages(parsed.error.issues));
      const validColumns = columns.filter(isColumn);
      if (validColumns.length < columns.length || new Set(columns).size < columns.length) {
        throw new DomainError("invalid_input", {}, { columns: { key: "validation.choice" } });
      }
      const validFilters = parsed.data as ExportFilters<List>;
      await source.check?.(scope, validFilters);
      return {
        query: await source.query(scope, validFilters),
        kinds: validColumns.map((name) => columnOf(list, name)?.kind ?? "text"),
        cells: (rows, reader) =>
          (rows as readonly Row[]).map((row) => validColumns.map((name) => source.columns[name](row, reader))),
      };
    },
  };
}

/** Every exportable list. */
const EXPORTS: { readonly [List in ListName]: ExportSource } = {
  rooms: exportSource("rooms", roomsList),
  guests: exportSource("guests", guestsList),
  history: exportSource("history", historyList),
  customers: exportSource("customers", customersList),
  folio: exportSource("folio", entriesList),
  cards: exportSource("cards", cardsList),
  passcodes: exportSource("passcodes", passcodesList),
  faces: exportSource("faces", facesList),
  locks: exportSource("locks", locksList),
  unlocks: exportSource("unlocks", unlocksList),
  alerts: exportSource("alerts", alertsList),
  staff: exportSource("staff", staffList),
  cardReaders: exportSource("cardReaders", cardReadersList),
  audit: exportSource("audit", auditList),
  breakfast: exportSource("breakfast", breakfastList),
  occupancy: exportSource("occupancy", occupancyList),
};

/** Content of the file, without its name. */
export type FileRequest = Pick<ExportInput, "list" | "filters" | "columns" | "page" | "format">;

interface OpenFile {
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
    twelveHours: scope.hotel.hourFormat === "h12",
    rightToLeft: LANGUAGES.some(({ code, dir }) => code === scope.language && dir === "rtl"),
  });
  return {
    total,
    bytes(onRows) {
      if (format === "xlsx") return xlsxFile(table(onRows));
      if (list !== "unlocks" || page) return csvFile(table(onRows));
      const validFilters = EXPORT_FILTERS.unlocks.parse(filters);
      return withHead(csvHead(table(onRows)), crlfLines(copiedRecords(scope, validFilters, columns, reader), onRows));
    },
  };
}

async function* copiedRecords(...request: Parameters<typeof recordLines>): AsyncGenerator<Buffer> {
  const [scope] = request;
  yield* scope.sql.copied(await recordLines(...request));
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

async function* withHead(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

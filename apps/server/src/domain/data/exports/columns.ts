import type { ColumnKind, FileColumnName, ListName } from "@innkey/shared/lists";
import type { ExportFilters } from "@innkey/shared/schemas/data/exports";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Translate } from "../../../kernel/translate.ts";
import type { LocalTimes } from "./local-times.ts";

/** Content of a file to be written. */
export interface Table {
  /** title of the sheet */
  title: string;
  headings: readonly string[];
  kinds: readonly ColumnKind[];
  batches: AsyncIterable<readonly (readonly CellValue[])[]>;
  times: LocalTimes;
  digits: number;
  /** true for languages written from right to left */
  rightToLeft: boolean;
}

/** A cell's value, of its column's kind. Empty values are null. */
export type CellValue = string | number | null;

/** What is needed to format values for the person who exports. */
export interface Reader {
  scope: Scope;
  t: Translate;
  times: LocalTimes;
  /** decimal digits of the hotel's currency */
  digits: number;
}

type Value<Row> = (row: Row, reader: Reader) => CellValue;

/** How one exportable list is read: the query of its screen, and the value of each column for a row. */
export interface ExportList<List extends ListName, Row> {
  /** @throws as the screen does for what the caller can't see */
  check?(scope: Scope, filters: ExportFilters<List>): Promise<void>;
  query(scope: Scope, filters: ExportFilters<List>): HotelQuery | Promise<HotelQuery>;
  columns: Record<FileColumnName<List>, Value<Row>>;
}

/** Returns the value of a column with yes or no in the reader's language. */
export const yesNo =
  <Row>(value: (row: Row) => boolean): Value<Row> =>
  (row, { t }) =>
    t(value(row) ? "guest.yes" : "guest.no");

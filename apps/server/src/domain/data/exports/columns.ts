import type { ExportColumnName, ExportListName } from "@innkey/shared/exports";
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

/** Types of cell values: `time` is an ISO time, `date` a local date, `money` minor units. Empty values are null. */
export type ColumnKind = "text" | "number" | "time" | "date" | "money";
export type CellValue = string | number | null;

/** What is needed to format values for the person who exports. */
export interface Reader {
  scope: Scope;
  t: Translate;
  times: LocalTimes;
  /** decimal digits of the hotel's currency */
  digits: number;
}

export interface Column<Row> {
  kind: ColumnKind;
  value(row: Row, reader: Reader): CellValue;
}

/** How one exportable list is read: the query of its screen, and the value of each column for a row. */
export interface ExportList<List extends ExportListName, Row> {
  /** @throws as the screen does for what the caller can't see */
  check?(scope: Scope, filters: ExportFilters<List>): Promise<void>;
  query(scope: Scope, filters: ExportFilters<List>): HotelQuery | Promise<HotelQuery>;
  columns: Record<ExportColumnName<List>, Column<Row>>;
}

type Value<Row> = (row: Row, reader: Reader) => CellValue;

export const text = <Row>(value: Value<Row>): Column<Row> => ({ kind: "text", value });
export const number = <Row>(value: Value<Row>): Column<Row> => ({ kind: "number", value });
export const time = <Row>(value: Value<Row>): Column<Row> => ({ kind: "time", value });
export const date = <Row>(value: Value<Row>): Column<Row> => ({ kind: "date", value });
export const money = <Row>(value: Value<Row>): Column<Row> => ({ kind: "money", value });
/** Column with yes or no in the reader's language. */
export const yesNo = <Row>(value: (row: Row) => boolean): Column<Row> =>
  text((row, { t }) => t(value(row) ? "guest.yes" : "guest.no"));

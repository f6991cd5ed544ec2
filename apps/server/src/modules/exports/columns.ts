import type { ExportColumnName, ExportListName } from "@innkey/shared/exports";
import type { ExportFilters } from "@innkey/shared/schemas/exports";
import type { HotelQuery } from "../../core/hotel-database.ts";
import type { Scope } from "../../core/scope.ts";
import type { Translate } from "../../core/translate.ts";
import type { LocalTimes } from "./local-times.ts";

/** `time` is an ISO instant, `date` a local date, `money` minor units; what is empty is null. */
export type ColumnKind = "text" | "number" | "time" | "date" | "money";
export type CellValue = string | number | null;

/** What a value needs to be told to its reader. */
export interface Reader {
  scope: Scope;
  t: Translate;
  times: LocalTimes;
  /** minor digits of the hotel's currency */
  digits: number;
}

export interface Column<Row> {
  kind: ColumnKind;
  value(row: Row, reader: Reader): CellValue;
}

/** How a list of the vocabulary is read: the screen's statement, and each column's value of a row. */
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
/** Yes or no in the reader's language. */
export const yesNo = <Row>(value: (row: Row) => boolean): Column<Row> =>
  text((row, { t }) => t(value(row) ? "guest.yes" : "guest.no"));

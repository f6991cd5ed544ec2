import type { ColumnKind, FileColumnName, ListName } from "@innkey/shared/lists";
import type { ExportFilters } from "@innkey/shared/schemas/data";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Translate } from "../../../kernel/translate.ts";

const QUARTER_MS = 900_000;
const MAX_CACHED_OFFSETS = 5000;

/** Converts times to a time zone. Offsets only change at quarter hours, so each quarter is computed once. */
export class LocalTimes {
  readonly #parts: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.#parts = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** Returns the local clock time as milliseconds since 1970. */
  local(instant: string): number {
    const at = Date.parse(instant);
    return at + this.#offset(Math.floor(at / QUARTER_MS));
  }

  /** Formats the local time, for example "2026-03-29 03:00:00". */
  text(instant: string): string {
    return new Date(this.local(instant)).toISOString().slice(0, 19).replace("T", " ");
  }

  #offset(quarter: number): number {
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      if (this.#offsets.size >= MAX_CACHED_OFFSETS) this.#offsets.clear();
      offset = this.#read(quarter * QUARTER_MS);
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  #read(at: number): number {
    const part = Object.fromEntries(this.#parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - at;
  }
}

/** Content of a file to be written. */
export interface Table {
  /** title of the sheet */
  title: string;
  headings: readonly string[];
  kinds: readonly ColumnKind[];
  batches: AsyncIterable<readonly (readonly CellValue[])[]>;
  times: LocalTimes;
  digits: number;
  /** true if spreadsheets show times of day with twelve hours */
  twelveHours: boolean;
  /** true for languages written from right to left */
  rightToLeft: boolean;
}

/** A cell's value, of its column's kind. Empty values are null. */
export type CellValue = string | number | null;

/** Language, time zone and rights for formatting values for the person who exports. */
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

/** Makes a column that says yes or no in the reader's language. */
export const yesNo =
  <Row>(value: (row: Row) => boolean): Value<Row> =>
  (row, { t }) =>
    t(value(row) ? "guest.yes" : "guest.no");

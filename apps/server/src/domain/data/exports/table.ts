import type { CellValue, ColumnKind } from "./columns.ts";
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

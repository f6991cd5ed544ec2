import type { CellValue, ColumnKind } from "./columns.ts";
import type { LocalTimes } from "./local-times.ts";

/** What a file is written from. */
export interface Table {
  /** of the list, for the sheet */
  title: string;
  headings: readonly string[];
  kinds: readonly ColumnKind[];
  batches: AsyncIterable<readonly (readonly CellValue[])[]>;
  times: LocalTimes;
  digits: number;
  /** the language is read from the right */
  rightToLeft: boolean;
}

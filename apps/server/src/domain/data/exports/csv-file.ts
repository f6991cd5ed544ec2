import { defuseFormulas } from "@innkey/shared/csv-formulas";
import type { ColumnKind } from "@innkey/shared/lists";
import type { CellValue, Table } from "./columns.ts";

const QUOTED = /[",\r\n]/;

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
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""').replace(/\r\n?|\n/g, "\r\n")}"` : text;
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

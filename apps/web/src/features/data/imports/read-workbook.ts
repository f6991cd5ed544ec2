import { readSheet } from "read-excel-file/universal";

/**
 * Reads the first sheet of a workbook as text. Returns null if the file is not a workbook. Loaded only when a workbook
 * is chosen.
 */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<string[][] | null> {
  try {
    // A phone number of digits alone is stored as a number; parsing with Number keeps it from becoming 4.9E+11.
    const rows = await readSheet(new Blob([bytes]), { parseNumber: Number });
    return rows.map((row) => row.map(textOf));
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!(value instanceof Date)) return String(value);
  // A workbook has no time zone, so we keep the time it shows. Fractions of a day are not exact to the second, so we
  // round.
  const rounded = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  return rounded.endsWith("T00:00:00.000Z") ? rounded.slice(0, 10) : rounded.slice(0, 19).replace("T", " ");
}

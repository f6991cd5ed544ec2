import { readSheet } from "read-excel-file/universal";

/** The first sheet of a workbook as its cells read; null if the file is no workbook. Loaded when somebody chooses one. */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<string[][] | null> {
  try {
    // A phone number in figures alone is a number there, and must not come as 4.9E+11.
    const rows = await readSheet(new Blob([bytes]), { parseNumber: Number });
    return rows.map((row) => row.map(textOf));
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!(value instanceof Date)) return String(value);
  // A workbook has no time zone: what it shows is what was meant. Fractions of a day don't hit the second.
  const rounded = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  return rounded.endsWith("T00:00:00.000Z") ? rounded.slice(0, 10) : rounded.slice(0, 19).replace("T", " ");
}

import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { CellValue, ColumnKind } from "./columns.ts";
import type { Table } from "./table.ts";
import { contentTypes, relations, sheetHead, styles, workbook, workbookRelations } from "./xlsx-parts.ts";

/** Rows of a sheet, including the headings (source: ECMA-376; Microsoft, "Excel specifications and limits"). */
export const SHEET_ROWS = 1_048_576;
const MAX_CELL = 32_767;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, in local time. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Indexes of the cell formats in the workbook's styles; see `styles`. */
const STYLE = { text: 0, number: 0, time: 1, date: 2, money: 3 } as const satisfies Record<ColumnKind, number>;
const HEADING_STYLE = 4;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that XML 1.0 doesn't allow. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string): string =>
  text
    .slice(0, MAX_CELL)
    .replace(NOT_IN_XML, "")
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? "");

/** Returns a text cell with its reference, because some programs reject cells without one. */
const inline = (reference: string, text: string, style: number): string =>
  `<c r="${reference}" t="inlineStr"${style ? ` s="${style}"` : ""}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** Returns the name of a column: A, B, … Z, AA, … */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

/** Returns one cell with its reference and type; a text is never a formula here. */
function xlsxCell(
  reference: string,
  kind: ColumnKind,
  value: CellValue,
  { times, digits }: Pick<Table, "times" | "digits">,
): string {
  if (value === null || value === "") return "";
  if (kind === "text") return inline(reference, String(value), 0);
  const plain =
    kind === "time"
      ? (times.local(String(value)) - EPOCH_MS) / DAY_MS
      : kind === "date"
        ? (Date.parse(String(value)) - EPOCH_MS) / DAY_MS
        : kind === "money"
          ? (Number(value) / 10 ** digits).toFixed(digits)
          : value;
  return `<c r="${reference}" s="${STYLE[kind]}"><v>${plain}</v></c>`;
}

/** Splits one stream of batches into the rows of consecutive sheets. */
class Rows {
  readonly #batches: AsyncIterator<readonly (readonly CellValue[])[]>;
  #left: readonly (readonly CellValue[])[] = [];
  #ended = false;

  constructor(table: Table) {
    this.#batches = table.batches[Symbol.asyncIterator]();
  }

  async more(): Promise<boolean> {
    while (this.#left.length === 0 && !this.#ended) {
      const { value, done } = await this.#batches.next();
      if (done) this.#ended = true;
      else this.#left = value;
    }
    return this.#left.length > 0;
  }

  take(most: number): readonly (readonly CellValue[])[] {
    const chunk = this.#left.slice(0, most);
    this.#left = this.#left.slice(most);
    return chunk;
  }

  async stop(): Promise<void> {
    await this.#batches.return?.();
  }
}

async function* sheet(table: Table, rows: Rows): AsyncGenerator<string> {
  yield sheetHead(table);
  const names = table.headings.map((_, index) => columnName(index));
  const headings = table.headings.map((heading, i) => inline(`${names[i]}1`, heading, HEADING_STYLE));
  yield `<row r="1">${headings.join("")}</row>`;
  let line = 1;
  for (let free = SHEET_ROWS - 1; free > 0 && (await rows.more()); ) {
    const part = rows.take(free);
    free -= part.length;
    let xml = "";
    for (const row of part) {
      line += 1;
      xml += `<row r="${line}">`;
      for (let i = 0; i < row.length; i += 1) {
        xml += xlsxCell(`${names[i]}${line}`, table.kinds[i] ?? "text", row[i] ?? null, table);
      }
      xml += "</row>";
    }
    yield xml;
  }
  yield "</sheetData></worksheet>";
}

/** Writes a workbook in constant memory; rows that don't fit in one sheet continue in another. */
export async function* xlsxFile(table: Table): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  zip.on("error", (error: Error) => output.destroy(error));
  const rows = new Rows(table);
  let sheets = 0;
  const addSheet = (): void => {
    sheets += 1;
    const source = Readable.from(sheet(table, rows), { objectMode: false });
    source.once("error", (error) => output.destroy(error));
    source.once("end", () => void afterSheet().catch((error: Error) => output.destroy(error)));
    zip.addReadStream(source, `xl/worksheets/sheet${sheets}.xml`);
  };
  const afterSheet = async (): Promise<void> => {
    if (await rows.more()) return addSheet();
    zip.addBuffer(Buffer.from(workbook(table.title, sheets)), "xl/workbook.xml");
    zip.addBuffer(Buffer.from(workbookRelations(sheets)), "xl/_rels/workbook.xml.rels");
    zip.addBuffer(Buffer.from(styles(table.digits)), "xl/styles.xml");
    zip.addBuffer(Buffer.from(relations), "_rels/.rels");
    zip.addBuffer(Buffer.from(contentTypes(sheets)), "[Content_Types].xml");
    zip.end();
  };
  addSheet();
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    await rows.stop();
  }
}

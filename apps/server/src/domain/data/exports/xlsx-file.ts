import { PassThrough, Readable } from "node:stream";
import { DAY_MS } from "@innkey/shared/durations";
import type { ColumnKind } from "@innkey/shared/lists";
import { ZipFile } from "yazl";
import type { CellValue, Table } from "./columns.ts";

/** Parts of a workbook other than its rows (source: ECMA-376, Office Open XML, SpreadsheetML). */
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const WIDTHS: Record<ColumnKind, number> = { text: 24, number: 12, time: 20, date: 12, money: 14 };

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Freezes the headings; for right-to-left languages the first column is on the right. */
export const sheetHead = ({ kinds, rightToLeft }: Pick<Table, "kinds" | "rightToLeft">): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${rightToLeft ? ' rightToLeft="1"' : ""}>` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  kinds.map((kind, i) => `<col min="${i + 1}" max="${i + 1}" width="${WIDTHS[kind]}" customWidth="1"/>`).join("") +
  "</cols><sheetData>";

/** Returns a valid sheet name: at most 31 characters, without those used in references. */
function sheetName(title: string, index: number, sheets: number): string {
  const number = sheets > 1 ? ` ${index}` : "";
  const plain = title
    .replace(/[[\]:*?/\\]/g, " ")
    .replace(/^'+|'+$/g, "")
    .replace(/[&<>"]/g, " ")
    .slice(0, 31 - number.length)
    .trim();
  return `${plain || "Export"}${number}`;
}

export const workbook = (title: string, sheets: number): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets>${numbers(sheets)
    .map((n) => `<sheet name="${sheetName(title, n, sheets)}" sheetId="${n}" r:id="rId${n}"/>`)
    .join("")}</sheets></workbook>`;

export const workbookRelations = (sheets: number): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${numbers(sheets)
    .map((n) => `<Relationship Id="rId${n}" Type="${RELATION}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join("")}<Relationship Id="rId${sheets + 1}" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`;

/** Cell formats in this order: none, time, date, money, heading. */
export const styles = ({ digits, twelveHours }: Pick<Table, "digits" | "twelveHours">): string =>
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ ${twelveHours ? "h:mm:ss\\ AM/PM" : "hh:mm:ss"}"/>` +
  `<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="0${digits ? `.${"0".repeat(digits)}` : ""}"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/>' +
  '<xf fontId="1" applyFont="1"/></cellXfs></styleSheet>';

export const relations = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export const contentTypes = (sheets: number): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${numbers(sheets)
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)
    .join("")}</Types>`;

/** Rows of a sheet, including the headings (source: ECMA-376; Microsoft, "Excel specifications and limits"). */
export const MAX_SHEET_ROWS = 1_048_576;
const MAX_CELL_CHARACTERS = 32_767;
/** Day 0 of spreadsheets, in local time. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Indexes of the cell formats in the workbook's styles; see `styles`. */
const STYLE = { text: 0, number: 0, time: 1, date: 2, money: 3 } as const satisfies Record<ColumnKind, number>;
const HEADING_STYLE = 4;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that XML 1.0 doesn't allow. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escapeXml = (text: string): string =>
  text
    .slice(0, MAX_CELL_CHARACTERS)
    .replace(NOT_IN_XML, "")
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? "");

/** Returns a text cell with its reference, because some programs reject cells without one. */
const inline = (reference: string, text: string, style: number): string =>
  `<c r="${reference}" t="inlineStr"${style ? ` s="${style}"` : ""}><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;

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
  #buffered: readonly (readonly CellValue[])[] = [];
  #ended = false;

  constructor(table: Table) {
    this.#batches = table.batches[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#buffered.length === 0 && !this.#ended) {
      const { value, done } = await this.#batches.next();
      if (done) this.#ended = true;
      else this.#buffered = value;
    }
    return this.#buffered.length > 0;
  }

  take(maxRows: number): readonly (readonly CellValue[])[] {
    const chunk = this.#buffered.slice(0, maxRows);
    this.#buffered = this.#buffered.slice(maxRows);
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
  for (let free = MAX_SHEET_ROWS - 1; free > 0 && (await rows.hasMore()); ) {
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
    if (await rows.hasMore()) return addSheet();
    zip.addBuffer(Buffer.from(workbook(table.title, sheets)), "xl/workbook.xml");
    zip.addBuffer(Buffer.from(workbookRelations(sheets)), "xl/_rels/workbook.xml.rels");
    zip.addBuffer(Buffer.from(styles(table)), "xl/styles.xml");
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

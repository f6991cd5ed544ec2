import type { ColumnKind } from "./columns.ts";
import type { Table } from "./table.ts";

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
export const styles = (digits: number): string =>
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>` +
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

import { strFromU8, unzipSync } from "fflate";

/** A cell's value: text, or the number of a number or date. */
export type WorkbookCell = string | number | null;

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** Returns the rows of each sheet of an .xlsx file. @throws Error if the file is invalid */
export function readWorkbook(bytes: Uint8Array): { names: string[]; sheets: WorkbookCell[][][]; styles: string } {
  const parts = unzipSync(bytes);
  const part = (name: string): string => {
    const part = parts[name];
    if (!part) throw new Error(`the workbook has no ${name}`);
    return strFromU8(part);
  };
  for (const name of ["[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels"]) part(name);
  const names = [...part("xl/workbook.xml").matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name ?? "");
  const sheets = names.map((_name, index) => rowsOf(part(`xl/worksheets/sheet${index + 1}.xml`)));
  return { names, sheets, styles: part("xl/styles.xml") };
}

/** Every cell contains its position. Missing cells are null, up to the width of the headings. */
function rowsOf(xml: string): WorkbookCell[][] {
  const rows = [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, line, row = ""]) => {
    const cells: WorkbookCell[] = [];
    for (const [, letters = "", at, text, value] of row.matchAll(
      /<c r="([A-Z]+)(\d+)"[^>]*>(?:<is><t[^>]*>(.*?)<\/t><\/is>|<v>(.*?)<\/v>)<\/c>/gs,
    )) {
      if (at !== line) throw new Error(`a cell of row ${at} stands in row ${line}`);
      const index = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      cells[index] =
        text === undefined ? Number(value) : text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
    }
    return cells;
  });
  const width = rows[0]?.length ?? 0;
  return rows.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? null));
}

/**
 * Texts in CSV that spreadsheets would run as formulas (source: OWASP, "CSV Injection"). A spreadsheet splits a file at
 * its country's list separator, whichever separator the file was written with, so a cell can begin in the middle of a
 * text. We therefore defuse a text at its beginning and after every character that may separate cells or lines. Each
 * such place gets an apostrophe, even one that has some already, so that `restoreFormulas` returns exactly the
 * original. A phone number (a plus and digits, nothing else) computes nothing and stays, for programs that read the file.
 */
export const CELL_ENDS = ";|\t\r\n؛،";
/** - = + @, also full-width and small ones */
export const FORMULA_SIGNS = "-=+@＝＋－＠﹣﹢﹦﹫";
/** characters that may precede the sign: spaces, quotes, and the apostrophes that defuse it */
export const BEFORE_SIGNS = " \u00a0\u3000\"'";

const inClass = (characters: string): string => characters.replace(/[\\\]^-]/g, "\\$&");
const FORMULA = `[${inClass(BEFORE_SIGNS)}]*[${inClass(FORMULA_SIGNS)}]`;
/** Regular expressions that are valid in both JavaScript and PostgreSQL. */
export const FORMULA_INSIDE = `([${inClass(CELL_ENDS)}])(?=${FORMULA})`;
export const FORMULA_AT_START = `^(?![+][0-9]+$)(?=${FORMULA}|'*[\t\r\n])`;

const INSIDE = new RegExp(FORMULA_INSIDE, "g");
const AT_START = new RegExp(FORMULA_AT_START);
const SAFE_INSIDE = new RegExp(`([${inClass(CELL_ENDS)}])'(?=${FORMULA})`, "g");
const SAFE_AT_START = new RegExp(`^'(?=${FORMULA}|'*[\t\r\n])`);

export function defuseFormulas(text: string): string {
  return text.replace(INSIDE, "$1'").replace(AT_START, "'");
}

/** Returns the text as it was before `defuseFormulas`. */
export function restoreFormulas(text: string): string {
  return text.replace(SAFE_AT_START, "").replace(SAFE_INSIDE, "$1");
}

/** Separators of text tables (RFC 4180) that spreadsheets of different countries write. */
export const SEPARATORS = [",", ";", "\t"] as const;
export type Separator = (typeof SEPARATORS)[number];

/**
 * Returns the cells by row. Quoted cells may contain separators, quotes and line ends; texts that an export defused are
 * restored. Rows without a single filled cell are left out.
 */
export function parseCsv(text: string, separator: Separator): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = (): void => {
    row.push(restoreFormulas(cell.trim()));
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  };
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell.trim() === "") {
      cell = "";
      quoted = true;
    } else if (char === separator) endCell();
    else if (char === "\n") endRow();
    else if (char === "\r") {
      if (text[at + 1] !== "\n") endRow();
    } else cell += char;
  }
  endRow();
  return rows;
}

/** Returns the separator that splits the first lines into most cells; a comma if none does. */
export function guessSeparator(text: string): Separator {
  const head = text.slice(0, 20_000);
  const cells = (separator: Separator): number => {
    const rows = parseCsv(head, separator).slice(0, 10);
    return Math.min(...rows.map((row) => row.length), rows[0]?.length ?? 0);
  };
  return SEPARATORS.reduce((best, one) => (cells(one) > cells(best) ? one : best));
}

/**
 * Returns rows as CSV that every spreadsheet reads and none runs as formulas: quoted where needed, with CR LF. The
 * caller adds the byte order mark.
 */
export function toCsv(rows: readonly (readonly string[])[], separator: Separator = ","): string {
  const quoted = (value: string): string =>
    value.includes(separator) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return rows.map((row) => `${row.map(defuseFormulas).map(quoted).join(separator)}\r\n`).join("");
}

/**
 * Texts in CSV that spreadsheets would take for formulas (source: OWASP, "CSV Injection"). A spreadsheet cuts a file at its
 * country's list separator, whatever the file was written with, and then a cell begins in the middle of a text: so a text is
 * made safe at its beginning and after everything that may part cells or lines. Every such place gets an apostrophe, also
 * one that has some already, so that `restoreFormulas` gives back exactly what there was.
 */
export const CELL_ENDS = ";|\t\r\n؛،";
/** - = + @, also full-width and small ones */
export const FORMULA_SIGNS = "-=+@＝＋－＠﹣﹢﹦﹫";
/** what may stand before the sign: spaces, quotes, and the apostrophes that make it safe */
export const BEFORE_SIGNS = " \u00a0\u3000\"'";

const inClass = (characters: string): string => characters.replace(/[\\\]^-]/g, "\\$&");
const FORMULA = `[${inClass(BEFORE_SIGNS)}]*[${inClass(FORMULA_SIGNS)}]`;
/** As regular expressions of JavaScript and PostgreSQL alike. */
export const FORMULA_INSIDE = `([${inClass(CELL_ENDS)}])(?=${FORMULA})`;
export const FORMULA_AT_START = `^(?=${FORMULA}|'*[\t\r\n])`;

const INSIDE = new RegExp(FORMULA_INSIDE, "g");
const AT_START = new RegExp(FORMULA_AT_START);
const SAFE_INSIDE = new RegExp(`([${inClass(CELL_ENDS)}])'(?=${FORMULA})`, "g");
const SAFE_AT_START = new RegExp(`^'(?=${FORMULA}|'*[\t\r\n])`);

export function defuseFormulas(text: string): string {
  return text.replace(INSIDE, "$1'").replace(AT_START, "'");
}

/** What a text was before `defuseFormulas`. */
export function restoreFormulas(text: string): string {
  return text.replace(SAFE_AT_START, "").replace(SAFE_INSIDE, "$1");
}

/**
 * Texts in CSV that spreadsheets would run as formulas (source: OWASP, "CSV Injection"). A spreadsheet splits a file at
 * its country's list separator, whichever separator the file was written with, so a cell can begin in the middle of a
 * text. We therefore defuse a text at its beginning and after every character that may separate cells or lines. Each
 * such place gets an apostrophe, even one that has some already, so that `restoreFormulas` returns exactly the
 * original.
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
export const FORMULA_AT_START = `^(?=${FORMULA}|'*[\t\r\n])`;

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

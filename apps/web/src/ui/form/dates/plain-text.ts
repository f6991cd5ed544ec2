const MARKS_OF_DIRECTION = /[\u200e\u200f\u061c\u2066-\u2069]/g;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Returns text as it is compared: in lower case, with Western digits, plain spaces and "pm" for "p. m.". */
export const plainText = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(MARKS_OF_DIRECTION, "")
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .toLowerCase()
    .replace(/(?<!\p{L})([ap])\.?\s*m(?!\p{L})\.?/gu, "$1m")
    .replace(/\s+/g, " ")
    .trim();

export const wordsOf = (plain: string): string[] => plain.match(/[\p{L}\p{M}]+/gu) ?? [];

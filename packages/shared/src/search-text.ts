/** Letters that Unicode doesn't take apart, and what people type for them. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ŋ: "n",
};
const MARKS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f]/g;

/**
 * Returns a text without case, accents, width and punctuation, with the digits of every script as 0–9, so that two
 * spellings of a name compare as equal: "moller" is "Møller", "301" is "٣٠١". It equals `search_text` in
 * prisma/migrations/0_init, which the database uses.
 */
export function searchText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[ßæœøłđðħıŋ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(MARKS, "")
    .normalize("NFKC")
    .replace(/[^\p{Alphabetic}\p{Nd}]+/gu, " ")
    .trim();
}

/** Returns the words of a text, as `searchText` writes them. */
export const searchWords = (text: string): string[] => searchText(text).split(" ").filter(Boolean);

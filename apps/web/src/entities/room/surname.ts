/** Chinese surnames of two characters that are still common. */
const DOUBLE_SURNAMES = /^(欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|夏侯|皇甫|尉迟|尉遲|公孙|公孫|慕容|司徒|令狐)/;
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Returns the surname as far as a name tells: what is before a comma; in East Asian scripts the first word, or the first
 * character if there is only one word; otherwise the last word.
 */
export function surnameOf(name: string): string {
  const [beforeComma = "", afterComma] = name.split(/[,،，]/u);
  const words = beforeComma.trim().split(/\s+/u);
  if (afterComma !== undefined) return words.join(" ");
  const [first = ""] = words;
  if (!FAMILY_FIRST.test(first)) return words.at(-1) ?? "";
  return words.length > 1 ? first : (DOUBLE_SURNAMES.exec(first)?.[0] ?? [...first].slice(0, 1).join(""));
}

/**
 * Returns a name for where there is little room: the surname, or the whole name in East Asian scripts, which is short, and
 * whose surnames many people share.
 */
export const shortNameOf = (name: string): string => (FAMILY_FIRST.test(name) ? name : surnameOf(name));

/** Scripts that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
const whole = (pattern: string): string => `(?<![[:alnum:]])${pattern}(?![[:alnum:]])`;

/** A name as people write it: in any case, with any space between its parts, never inside another word. */
function namePattern(name: string): string {
  const spaced = name.trim().split(/\s+/u).map(literal).join("\\s+");
  return UNSPACED.test(name) ? spaced : whole(spaced);
}

/** A number as people write it: with spaces, dots, dashes and brackets wherever they like. */
function numberPattern(number: string): string {
  return whole([...number.replace(/[\s\-./()]/gu, "")].map(literal).join("[-\\s./()]*"));
}

export interface Identity {
  name: string;
  mobile: string;
  email: string;
  documentNumber: string;
}

/** Parts of a name that stand for the person where it is known who is meant, but for those of others who are meant too. */
export function namePartsOf(name: string, others: readonly string[]): string | null {
  const wordsOf = (text: string): string[] => text.trim().split(/\s+/u);
  const theirs = new Set(others.flatMap(wordsOf).map((word) => word.toLowerCase()));
  const parts = wordsOf(name).filter((word) => word.length > 2 && !theirs.has(word.toLowerCase()));
  return parts.length === 0 ? null : parts.map(namePattern).join("|");
}

/**
 * What finds an identity in free text, as a regular expression of PostgreSQL for use without regard to case; null if there
 * is nothing to look for. Numbers too short to be anyone's are left out.
 */
export function mentionsOf({ name, mobile, email, documentNumber }: Identity, withName: boolean): string | null {
  const parts = [
    ...(withName && name.trim().length > 1 ? [namePattern(name)] : []),
    ...[mobile, documentNumber].filter((number) => number.length > 4).map(numberPattern),
    ...(email === "" ? [] : [whole(literal(email))]),
  ];
  return parts.length === 0 ? null : parts.join("|");
}

/** Whether a name is nobody else's by itself: more than a given name, so that a note about another Ann is left alone. */
export function isFullName(name: string): boolean {
  return /\p{L}\s+\p{L}/u.test(name.trim()) || (UNSPACED.test(name) && name.trim().length > 1);
}

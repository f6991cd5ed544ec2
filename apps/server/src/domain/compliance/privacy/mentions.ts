/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
const whole = (pattern: string): string => `(?<![[:alnum:]])${pattern}(?![[:alnum:]])`;

/** Matches a name with any white space between its parts, but not inside another word. */
function namePattern(name: string): string {
  const spaced = name.trim().split(/\s+/u).map(literal).join("\\s+");
  return UNSPACED.test(name) ? spaced : whole(spaced);
}

/** Matches a number with any spaces, dots, dashes and brackets. */
function numberPattern(number: string): string {
  return whole([...number.replace(/[\s\-./()]/gu, "")].map(literal).join("[-\\s./()]*"));
}

export interface Identity {
  name: string;
  mobile: string;
  email: string;
  documentNumber: string;
}

/**
 * Returns a pattern for the parts of a name, for texts that concern this person, without the parts shared with
 * `others`; null if none is left.
 */
export function namePartsOf(name: string, others: readonly string[]): string | null {
  const wordsOf = (text: string): string[] => text.trim().split(/\s+/u);
  const theirs = new Set(others.flatMap(wordsOf).map((word) => word.toLowerCase()));
  const parts = wordsOf(name).filter((word) => word.length > 2 && !theirs.has(word.toLowerCase()));
  return parts.length === 0 ? null : parts.map(namePattern).join("|");
}

/**
 * Returns a case-insensitive PostgreSQL regular expression that finds an identity in free text; null if there is
 * nothing to look for. Numbers of up to four characters are left out, because they aren't specific enough.
 */
export function mentionsOf({ name, mobile, email, documentNumber }: Identity, withName: boolean): string | null {
  const parts = [
    ...(withName && name.trim().length > 1 ? [namePattern(name)] : []),
    ...[mobile, documentNumber].filter((number) => number.length > 4).map(numberPattern),
    ...(email === "" ? [] : [whole(literal(email))]),
  ];
  return parts.length === 0 ? null : parts.join("|");
}

/**
 * Checks whether a name identifies a person: it must be more than a given name, so that a note about another Ann is
 * left alone.
 */
export function isFullName(name: string): boolean {
  return /\p{L}\s+\p{L}/u.test(name.trim()) || (UNSPACED.test(name) && name.trim().length > 1);
}

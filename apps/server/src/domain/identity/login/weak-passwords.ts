import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";

/** What nobody may choose as a password, at whatever door one is set. Who has such a password already may log in with it. */

/** In no list of ours: shorter ones are refused for that alone. */
const SHORTEST = 7;
/** So many of the list, those that are tried first, are no better with a number behind. */
const TRIED_FIRST = 3_000;
/** As common, by published lists of other years and countries. */
const ALSO_FIRST = ["login", "user", "guest", "root", "p@ssword", "p@ssw0rd", "woaini", "5201314", "5201314520"];
const MIN_SIGNS = 4;
/** The longest group of signs that is looked for over and over: a longer one may be a word. */
const MAX_UNIT = 4;
/** Rows of keyboards one after the other, columns, and columns beside rows. */
const KEY_ROWS = [
  ...["12345678901234567890-=", "!@#$%^&*()_+", "qwertyuiop[]asdfghjkl;'zxcvbnm,./"],
  ...["qwertyuiopasdfghjklzxcvbnm", "qwertzuiopüasdfghjklöäyxcvbnm", "azertyuiopqsdfghjklmwxcvbn"],
  ...["йцукенгшщзхъфывапролджэячсмитьбю", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p", "qazwsxedcrfvtgbyhnujmikolp"],
  ...["zaq12wsxcde34rfvbgt56yhnmju78", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0"],
];
/** What every guesser knows: the product, and who works in a house. */
const EVERYBODYS = [
  ...["Innkey", "Smart Lock", "Console", "Hotel", "Reception", "Front Desk"],
  ...["Owner", "Manager", "Administrator", "Admin", "Staff"],
];
/** So much must be left without words that others know: a year isn't enough. */
const LEAST_BESIDE = 5;

interface Common {
  /** in small letters */
  all: ReadonlySet<string>;
  /** those that are tried first, also the short ones, with a number behind */
  first: ReadonlySet<string>;
}
let common: Promise<Common> | undefined;

/** Read on first use, since most days nobody sets one. */
function listed(): Promise<Common> {
  common ??= readCommonPasswords();
  return common;
}

/** The commonest passwords, in small letters. What has a pattern is in no list of theirs: see `isPattern`. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  return (await listed()).all;
}

async function readCommonPasswords(): Promise<Common> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const byRank = dictionary["passwords-common"];
  return {
    all: new Set([...byRank, ...ALSO_FIRST].filter(({ length }) => length >= SHORTEST)),
    first: new Set([...byRank.slice(0, TRIED_FIRST), ...ALSO_FIRST]),
  };
}

/** @throws invalid_input at `field` for one of the commonest, and for a pattern of signs or keys */
export async function requireUncommon(password: string, field = "password"): Promise<void> {
  const whole = password.normalize("NFKC").trim().toLowerCase();
  const common = await listed();
  if ([whole, ...unitsOf(whole)].some((one) => isPattern([...one]) || isListed(one, common))) {
    throw weakAt(field, v.passwordCommon);
  }
}

/** What it says twice or more often and nothing else: "qwerty" of "qwertyqwerty". */
function unitsOf(whole: string): string[] {
  const [, unit] = /^(.{5,}?)\1+$/su.exec(whole) ?? [];
  return unit === undefined ? [] : [unit];
}

/**
 * One of the list, also backwards, or one of the very first, also with a number behind and perhaps a sign: "admin1234",
 * "welcome1!".
 */
function isListed(whole: string, { all, first }: Common): boolean {
  const [, word] = /^(.*\D)\d{1,4}[^\p{L}\d]?$/su.exec(whole) ?? [];
  return all.has(whole) || all.has(backwards(whole)) || first.has(whole) || (word !== undefined && first.has(word));
}

/** "00000000", "123123123", "9876543210", "qwertyuiop": nothing of it has to be remembered. */
function isPattern(signs: readonly string[]): boolean {
  return new Set(signs).size < MIN_SIGNS || isRepetition(signs) || isRun(signs) || isKeyRow(signs.join(""));
}

/** A few signs over and over, the last time perhaps not to their end. */
function isRepetition(signs: readonly string[]): boolean {
  return range(MAX_UNIT).some((unit) => signs.every((sign, at) => at < unit || sign === signs[at - unit]));
}

/** Each sign is the one after, or the one before, in its alphabet. */
function isRun(signs: readonly string[]): boolean {
  const codes = signs.map((sign) => sign.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, at) => at === 0 || code === (codes[at - 1] ?? 0) + step));
}

/** As fingers find them, from either end. */
function isKeyRow(whole: string): boolean {
  return KEY_ROWS.some((row) => row.includes(whole) || row.includes(backwards(whole)));
}

const backwards = (text: string): string => [...text].reverse().join("");
const range = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/**
 * `known` is what others know of whose password it is: names, accounts, the hotel.
 * @throws invalid_input at `field` for one that is made of that and little else
 */
export function requireUnrelated(password: string, personal: readonly (string | null)[], field = "password"): void {
  const words = [...EVERYBODYS, ...personal].flatMap((text) => wordsOf(text ?? ""));
  const whole = bare(password);
  const beside = words.toSorted((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ""), whole);
  if (beside.length < whole.length && beside.length < LEAST_BESIDE) throw weakAt(field, v.passwordKnown);
}

/** Both. @throws invalid_input at `field` */
export async function requireUnguessable(
  password: string,
  personal: readonly (string | null)[],
  field = "password",
): Promise<void> {
  await requireUncommon(password, field);
  requireUnrelated(password, personal, field);
}

function weakAt(field: string, key: string): DomainError {
  return new DomainError("invalid_input", {}, { [field]: { key } });
}

/** Small letters without accents, and digits: "Hôtel-9" is "hotel9". */
function bare(text: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFKC");
  return letters.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const PHONE = /^\+?\d{7,}$/;
/** Scripts that write a word with one or two signs. */
const SHORT_WORDS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A phone number with and without its prefixes; anything else as a whole and word by word. */
function wordsOf(text: string): string[] {
  if (PHONE.test(text)) {
    const digits = bare(text);
    return [digits, digits.slice(-10), digits.slice(-SHORTEST)];
  }
  // ".com" is no word of anybody's.
  const localPart = text.includes("@") ? text.slice(0, text.lastIndexOf(".")) : text;
  const words = [localPart, ...localPart.split(/[^\p{L}\p{M}\p{N}]+/u)].map(bare);
  return words.filter((word) => word.length >= (SHORT_WORDS.test(word) ? 2 : 3));
}

import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";

/** What nobody may choose as a password, at whatever door one is set. Who has such a password already may log in with it. */

/** In no list of ours: shorter ones are refused for that alone. */
const SHORTEST = 7;
/** What every guesser knows: the product, and who works in a house. */
const EVERYBODYS = [
  ...["Innkey", "Smart Lock", "Console", "Hotel", "Reception", "Front Desk"],
  ...["Owner", "Manager", "Administrator", "Admin", "Staff"],
];
/** So much must be left without words that others know: a year isn't enough. */
const LEAST_BESIDE = 5;

let common: Promise<ReadonlySet<string>> | undefined;

/** The commonest passwords, in small letters. Read on first use, since most days nobody sets one. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= readCommonPasswords();
  return common;
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter(({ length }) => length >= SHORTEST));
}

/** @throws invalid_input at `field` for one of the commonest */
export async function requireUncommon(password: string, field = "password"): Promise<void> {
  if ((await commonPasswords()).has(password.normalize("NFKC").trim().toLowerCase())) {
    throw weakAt(field, v.passwordCommon);
  }
}

/**
 * `known` is what others know of whose password it is: names, accounts, the hotel.
 * @throws invalid_input at `field` for one that is made of that and little else
 */
export function requireUnrelated(password: string, known: readonly (string | null)[], field = "password"): void {
  const words = [...EVERYBODYS, ...known].flatMap((text) => wordsOf(text ?? ""));
  const whole = bare(password);
  const beside = words.toSorted((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ""), whole);
  if (beside.length < whole.length && beside.length < LEAST_BESIDE) throw weakAt(field, v.passwordKnown);
}

/** Both. @throws invalid_input at `field` */
export async function requireUnguessable(
  password: string,
  known: readonly (string | null)[],
  field = "password",
): Promise<void> {
  await requireUncommon(password, field);
  requireUnrelated(password, known, field);
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
  const said = text.includes("@") ? text.slice(0, text.lastIndexOf(".")) : text;
  const words = [said, ...said.split(/[^\p{L}\p{M}\p{N}]+/u)].map(bare);
  return words.filter((word) => word.length >= (SHORT_WORDS.test(word) ? 2 : 3));
}

import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import argon2 from "argon2";

/** Source: OWASP Password Storage Cheat Sheet, argon2id with 19 MiB. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** More hashes at once would occupy the threads that file and DNS access need, and slow the whole server down. */
const AT_ONCE = 2;
/** About five seconds of work; beyond that, callers are asked to try again. */
const MAX_WAITING = 400;

/** Memory in KiB and passes of one hash. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** Steps of one verification that run while the slot of the queue is occupied. */
interface Turn {
  /** The caller is no stranger: they go before all strangers, who could otherwise fill the queue for them. */
  isKnown: boolean;
  /** Runs when the slot is reached, and so sees failures counted while waiting. */
  before(): Promise<void>;
  /** Runs after a wrong password, before the slot is freed for the next verification. */
  wrong(): Promise<void>;
}

export interface PasswordHasher {
  /** Goes before the verifications of strangers, because only known callers set passwords. @throws as `verify` */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. A null `hash` means an unknown account: takes as long and returns false.
   * @throws unavailable if too many calls wait, and whatever `turn` throws
   */
  verify(hash: string | null, password: string, turn?: Partial<Turn>): Promise<boolean>;
}

export function createPasswordHasher({
  atOnce = AT_ONCE,
  maxWaiting = MAX_WAITING,
  cost = PASSWORD_COST,
} = {}): PasswordHasher {
  const parameters = { type: argon2.argon2id, parallelism: 1, ...cost };
  /** Hash that no password matches, so that an unknown account takes as long as a wrong password. */
  const nobody = argon2.hash("no account has this password", parameters);
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let busy = 0;

  async function inTurn<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    if (busy < atOnce) busy += 1;
    else {
      const waiting = isKnown ? known : strangers;
      if (waiting.length >= maxWaiting) throw new DomainError("unavailable");
      await new Promise<void>((turn) => waiting.push(turn));
    }
    try {
      return await work();
    } finally {
      const next = known.shift() ?? strangers.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  return {
    hash: (password) => inTurn(true, () => argon2.hash(password, parameters)),
    verify: (hash, password, turn) =>
      inTurn(turn?.isKnown ?? false, async () => {
        await turn?.before?.();
        const right = (await argon2.verify(hash ?? (await nobody), password)) && hash !== null;
        if (!right) await turn?.wrong?.();
        return right;
      }),
  };
}

/** Passwords that are refused wherever one is set. A person who already has such a password may still log in. */

/** Shorter passwords are refused for their length alone, so the lists don't contain them. */
const SHORTEST = 7;
/** The first entries of the list, which attackers try first, are also refused with a number appended. */
const TRIED_FIRST = 3_000;
/** Equally common, according to published lists of other years and countries. */
const ALSO_FIRST = ["login", "user", "guest", "root", "p@ssword", "p@ssw0rd", "woaini", "5201314", "5201314520"];
const MIN_SIGNS = 4;
/** Longest group of characters that we check for repetition; a longer one may be a word. */
const MAX_UNIT = 4;
/** Keyboard rows in sequence, keyboard columns, and columns and rows combined. */
const KEY_ROWS = [
  ...["12345678901234567890-=", "!@#$%^&*()_+", "qwertyuiop[]asdfghjkl;'zxcvbnm,./"],
  ...["qwertyuiopasdfghjklzxcvbnm", "qwertzuiopüasdfghjklöäyxcvbnm", "azertyuiopqsdfghjklmwxcvbn"],
  ...["йцукенгшщзхъфывапролджэячсмитьбю", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p", "qazwsxedcrfvtgbyhnujmikolp"],
  ...["zaq12wsxcde34rfvbgt56yhnmju78", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0"],
];
/** Words that every attacker knows: the product and the usual roles in a hotel. */
const EVERYBODYS = [
  ...["Innkey", "Smart Lock", "Console", "Hotel", "Reception", "Front Desk"],
  ...["Owner", "Manager", "Administrator", "Admin", "Staff"],
];
/** How many characters must remain without such words: a year isn't enough. */
const LEAST_BESIDE = 5;

interface Common {
  /** In lower case. */
  all: ReadonlySet<string>;
  /** Passwords tried first, including short ones; also refused with a number appended. */
  first: ReadonlySet<string>;
}
let common: Promise<Common> | undefined;

/** Read on first use, since passwords are rarely set. */
function listed(): Promise<Common> {
  common ??= readCommonPasswords();
  return common;
}

/** Returns the most common passwords, in lower case. The list needs no patterns, because `isPattern` refuses them. */
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

/** @throws invalid_input at `field` for a very common password, or for a pattern of characters or keys */
export async function requireUncommon(password: string, field = "password"): Promise<void> {
  const whole = password.normalize("NFKC").trim().toLowerCase();
  const common = await listed();
  if ([whole, ...unitsOf(whole)].some((one) => isPattern([...one]) || isListed(one, common))) {
    throw weakAt(field, v.passwordCommon);
  }
}

/** Returns the unit that the password repeats: "qwerty" for "qwertyqwerty". */
function unitsOf(whole: string): string[] {
  const [, unit] = /^(.{5,}?)\1+$/su.exec(whole) ?? [];
  return unit === undefined ? [] : [unit];
}

/**
 * Checks whether the password is in the list, forwards or backwards, or is one of the first entries followed by a
 * number and perhaps one more character: "admin1234", "welcome1!".
 */
function isListed(whole: string, { all, first }: Common): boolean {
  const [, word] = /^(.*\D)\d{1,4}[^\p{L}\d]?$/su.exec(whole) ?? [];
  return all.has(whole) || all.has(backwards(whole)) || first.has(whole) || (word !== undefined && first.has(word));
}

/** Checks for simple patterns: "00000000", "123123123", "9876543210", "qwertyuiop". */
function isPattern(signs: readonly string[]): boolean {
  return new Set(signs).size < MIN_SIGNS || isRepetition(signs) || isRun(signs) || isKeyRow(signs.join(""));
}

/** Checks whether a few characters repeat; the last repetition may be incomplete. */
function isRepetition(signs: readonly string[]): boolean {
  return range(MAX_UNIT).some((unit) => signs.every((sign, at) => at < unit || sign === signs[at - unit]));
}

/** Checks whether each character follows, or precedes, the one before in its alphabet. */
function isRun(signs: readonly string[]): boolean {
  const codes = signs.map((sign) => sign.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, at) => at === 0 || code === (codes[at - 1] ?? 0) + step));
}

/** Checks for adjacent keys, in either direction. */
function isKeyRow(whole: string): boolean {
  return KEY_ROWS.some((row) => row.includes(whole) || row.includes(backwards(whole)));
}

const backwards = (text: string): string => [...text].reverse().join("");
const range = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/**
 * Refuses a password made mostly of words that others know. `personal` are the person's names, accounts and hotel.
 * @throws invalid_input at `field`
 */
export function requireUnrelated(password: string, personal: readonly (string | null)[], field = "password"): void {
  const words = [...EVERYBODYS, ...personal].flatMap((text) => wordsOf(text ?? ""));
  const whole = bare(password);
  const beside = words.toSorted((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ""), whole);
  if (beside.length < whole.length && beside.length < LEAST_BESIDE) throw weakAt(field, v.passwordKnown);
}

/** Applies both checks. @throws invalid_input at `field` */
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

/** Returns lower-case letters without accents, and digits: "Hôtel-9" becomes "hotel9". */
function bare(text: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFKC");
  return letters.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const PHONE = /^\+?\d{7,}$/;
/** Scripts in which a word may have only one or two characters. */
const SHORT_WORDS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns a phone number with and without its prefixes, or any other text as a whole and word by word. */
function wordsOf(text: string): string[] {
  if (PHONE.test(text)) {
    const digits = bare(text);
    return [digits, digits.slice(-10), digits.slice(-SHORTEST)];
  }
  // The top-level domain (".com") isn't personal.
  const localPart = text.includes("@") ? text.slice(0, text.lastIndexOf(".")) : text;
  const words = [localPart, ...localPart.split(/[^\p{L}\p{M}\p{N}]+/u)].map(bare);
  return words.filter((word) => word.length >= (SHORT_WORDS.test(word) ? 2 : 3));
}

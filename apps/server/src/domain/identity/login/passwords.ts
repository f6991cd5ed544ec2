import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import argon2 from "argon2";

/** Source: OWASP Password Storage Cheat Sheet, argon2id with 19 MiB. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** More concurrent hashes would occupy the threads that file and DNS access need, and slow the whole server down. */
const MAX_CONCURRENT = 2;
/** About five seconds of work; beyond that, callers are asked to try again. */
const MAX_WAITING = 400;

/** Memory in KiB and passes of one hash. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** Steps of one verification that run while the slot of the queue is occupied. */
interface VerificationSteps {
  /** Known callers go before all strangers, who could otherwise fill the queue. */
  isKnown: boolean;
  /** Runs when the slot is reached, so that it includes failures counted while waiting. */
  before(): Promise<void>;
  /** Runs after a wrong password, before the slot is freed for the next verification. */
  wrong(): Promise<void>;
}

export interface PasswordHasher {
  /** Goes before the verifications of strangers, because only known callers set passwords. @throws as `verify` */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. A null `hash` means an unknown account: takes as long and returns false.
   * @throws unavailable if too many calls wait, and the errors of `steps`
   */
  verify(hash: string | null, password: string, steps?: Partial<VerificationSteps>): Promise<boolean>;
}

export function createPasswordHasher({
  maxConcurrent = MAX_CONCURRENT,
  maxWaiting = MAX_WAITING,
  cost = PASSWORD_COST,
} = {}): PasswordHasher {
  const parameters = { type: argon2.argon2id, parallelism: 1, ...cost };
  /** Hash that no password matches, so that an unknown account takes as long as a wrong password. */
  const unknownAccountHash = argon2.hash("no account has this password", parameters);
  const waitingKnown: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let running = 0;

  async function runQueued<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    if (running < maxConcurrent) running += 1;
    else {
      const queue = isKnown ? waitingKnown : strangers;
      if (queue.length >= maxWaiting) throw new DomainError("unavailable");
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waitingKnown.shift() ?? strangers.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => runQueued(true, () => argon2.hash(password, parameters)),
    verify: (hash, password, steps) =>
      runQueued(steps?.isKnown ?? false, async () => {
        await steps?.before?.();
        const isRight = (await argon2.verify(hash ?? (await unknownAccountHash), password)) && hash !== null;
        if (!isRight) await steps?.wrong?.();
        return isRight;
      }),
  };
}

// Weak passwords are refused wherever a password is set. A person who already has such a password may still log in.

/** Shorter passwords are refused for their length alone, so the lists don't contain them. */
const MIN_LENGTH = 7;
/** The first entries of the list, which attackers try first, are also refused with a number appended. */
const FIRST_TRIED_COUNT = 3_000;
/** Equally common, according to published lists of other years and countries. */
const MORE_FIRST_TRIED = ["login", "user", "guest", "root", "p@ssword", "p@ssw0rd", "woaini", "5201314", "5201314520"];
/** Fewer different characters count as a pattern. */
const MIN_DISTINCT_CHARACTERS = 4;
/** Longest group of characters that is checked for repetition; a longer one may be a word. */
const MAX_UNIT_LENGTH = 4;
/** Keyboard rows in sequence, keyboard columns, and columns and rows combined. */
const KEY_ROWS = [
  ...["12345678901234567890-=", "!@#$%^&*()_+", "qwertyuiop[]asdfghjkl;'zxcvbnm,./"],
  ...["qwertyuiopasdfghjklzxcvbnm", "qwertzuiopüasdfghjklöäyxcvbnm", "azertyuiopqsdfghjklmwxcvbn"],
  ...["йцукенгшщзхъфывапролджэячсмитьбю", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p", "qazwsxedcrfvtgbyhnujmikolp"],
  ...["zaq12wsxcde34rfvbgt56yhnmju78", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0"],
];
/** Words that every attacker knows: the product and the usual roles in a hotel. */
const GUESSABLE_WORDS = [
  ...["Innkey", "Smart Lock", "Console", "Hotel", "Reception", "Front Desk"],
  ...["Owner", "Manager", "Administrator", "Admin", "Staff"],
];
/** How many characters must remain without such words: a year isn't enough. */
const MIN_REMAINING = 5;

interface CommonPasswords {
  /** In lower case. */
  all: ReadonlySet<string>;
  /** Passwords tried first, including short ones; also refused with a number appended. */
  first: ReadonlySet<string>;
}
let commonPasswordsOnce: Promise<CommonPasswords> | undefined;

/** Read on first use, since passwords are rarely set. */
function loadCommonPasswords(): Promise<CommonPasswords> {
  commonPasswordsOnce ??= readCommonPasswords();
  return commonPasswordsOnce;
}

/** Returns the most common passwords, in lower case. The list needs no patterns, because `isPattern` refuses them. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  return (await loadCommonPasswords()).all;
}

async function readCommonPasswords(): Promise<CommonPasswords> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const byRank = dictionary["passwords-common"];
  return {
    all: new Set([...byRank, ...MORE_FIRST_TRIED].filter(({ length }) => length >= MIN_LENGTH)),
    first: new Set([...byRank.slice(0, FIRST_TRIED_COUNT), ...MORE_FIRST_TRIED]),
  };
}

/** @throws invalid_input at `field` for a very common password, or for a pattern of characters or keys */
export async function requireUncommon(password: string, field = "password"): Promise<void> {
  const whole = password.normalize("NFKC").trim().toLowerCase();
  const common = await loadCommonPasswords();
  if ([whole, ...unitsOf(whole)].some((one) => isPattern([...one]) || isListed(one, common))) {
    throw weakPassword(field, v.passwordCommon);
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
function isListed(whole: string, { all, first }: CommonPasswords): boolean {
  const [, word] = /^(.*\D)\d{1,4}[^\p{L}\d]?$/su.exec(whole) ?? [];
  return all.has(whole) || all.has(reversed(whole)) || first.has(whole) || (word !== undefined && first.has(word));
}

/** Checks for simple patterns: "00000000", "123123123", "9876543210", "qwertyuiop". */
function isPattern(characters: readonly string[]): boolean {
  return (
    new Set(characters).size < MIN_DISTINCT_CHARACTERS ||
    isRepetition(characters) ||
    isRun(characters) ||
    isKeyRow(characters.join(""))
  );
}

/** Checks whether a few characters repeat; the last repetition may be incomplete. */
function isRepetition(characters: readonly string[]): boolean {
  return range(MAX_UNIT_LENGTH).some((length) =>
    characters.every((character, at) => at < length || character === characters[at - length]),
  );
}

/** Checks whether each character follows, or precedes, the one before in its alphabet. */
function isRun(characters: readonly string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, at) => at === 0 || code === (codes[at - 1] ?? 0) + step));
}

/** Checks for adjacent keys, in either direction. */
function isKeyRow(whole: string): boolean {
  return KEY_ROWS.some((row) => row.includes(whole) || row.includes(reversed(whole)));
}

const reversed = (text: string): string => [...text].reverse().join("");
const range = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/**
 * Refuses a password made mostly of words that others know. `personal` are the person's names, accounts and hotel.
 * @throws invalid_input at `field`
 */
export function requireUnrelated(password: string, personal: readonly (string | null)[], field = "password"): void {
  const words = [...GUESSABLE_WORDS, ...personal].flatMap((text) => wordsOf(text ?? ""));
  const whole = normalise(password);
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const remaining = longestFirst.reduce((rest, word) => rest.replaceAll(word, ""), whole);
  if (remaining.length < whole.length && remaining.length < MIN_REMAINING) throw weakPassword(field, v.passwordKnown);
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

function weakPassword(field: string, key: string): DomainError {
  return new DomainError("invalid_input", {}, { [field]: { key } });
}

/** Returns lower-case letters without accents, and digits: "Hôtel-9" becomes "hotel9". */
function normalise(text: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFKC");
  return letters.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const PHONE = /^\+?\d{7,}$/;
/** Scripts in which a word may have only one or two characters. */
const SHORT_WORDS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns a phone number with and without its prefixes, or any other text as a whole and word by word. */
function wordsOf(text: string): string[] {
  if (PHONE.test(text)) {
    const digits = normalise(text);
    return [digits, digits.slice(-10), digits.slice(-MIN_LENGTH)];
  }
  // The top-level domain (".com") isn't personal.
  const localPart = text.includes("@") ? text.slice(0, text.lastIndexOf(".")) : text;
  const words = [localPart, ...localPart.split(/[^\p{L}\p{M}\p{N}]+/u)].map(normalise);
  return words.filter((word) => word.length >= (SHORT_WORDS.test(word) ? 2 : 3));
}

import { permissionsKey, type Scope } from "./scope.ts";

/**
 * Nothing is kept longer, because some answers also change by time alone, such as the number of overdue guests. By the
 * clock of the hotel, like everything in an answer.
 */
const MAX_AGE_MS = 2_000;
/** Later ones replace the oldest. An answer of the largest hotel has about a megabyte. */
const MAX_ANSWERS = 500;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** An answer that may be kept, with its size in characters; null: not to be kept, such as a refusal. */
export interface Keepable<T> {
  answer: T;
  characters: number | null;
}

interface Kept<T> {
  snapshot: string;
  atMs: number;
  reading: Promise<Keepable<T>>;
  characters: number;
}

/**
 * Keeps answers for as long as the database proves that nothing has changed. A snapshot of PostgreSQL names every
 * transaction that it doesn't see, and a transaction that has ended is never among them again. So a caller who was
 * looked up in the snapshot in which an answer was asked for would read the same, or what was read a little later. A
 * write of anybody changes the snapshot: that costs a read, and never shows anything old.
 *
 * Callers of one hotel with the same permissions, rooms and language share an answer, and wait for one read.
 */
export class KeptAnswers {
  readonly #entries = new Map<string, Kept<unknown>>();
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Returns the answer that was kept for `question`, or what `read` answers. */
  async answer<T>(scope: Scope, snapshot: string, question: string, read: () => Promise<Keepable<T>>): Promise<T> {
    const key = `${permissionsKey(scope)} ${scope.actor.role} ${scope.language} ${question}`;
    const nowMs = scope.now().getTime();
    const earlier = this.#entries.get(key) as Kept<T> | undefined;
    if (earlier?.snapshot === snapshot && Math.abs(nowMs - earlier.atMs) < MAX_AGE_MS)
      return (await earlier.reading).answer;
    const entry: Kept<T> = { snapshot, atMs: nowMs, reading: read(), characters: 0 };
    this.#forget(key);
    this.#entries.set(key, entry);
    this.#forgetAllSoon();
    try {
      const { answer, characters } = await entry.reading;
      if (characters === null) this.#forget(key, entry);
      else if (this.#entries.get(key) === entry) this.#count(entry, characters);
      return answer;
    } catch (error) {
      this.#forget(key, entry);
      throw error;
    }
  }

  #count(entry: Kept<unknown>, characters: number): void {
    entry.characters = characters;
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ANSWERS && this.#characters <= MAX_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  /** Forgets what is kept under `key`, or only this answer. */
  #forget(key: string, only = this.#entries.get(key)): void {
    if (!only || this.#entries.get(key) !== only) return;
    this.#characters -= only.characters;
    this.#entries.delete(key);
  }

  /** Answers name guests, so none stays in memory without use. */
  #forgetAllSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#entries.clear();
      this.#characters = 0;
      this.#timer = undefined;
    }, MAX_AGE_MS).unref();
  }
}

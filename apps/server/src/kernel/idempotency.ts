import { DomainError, ERRORS } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import { ZodError } from "zod";
import type { Database } from "../adapters/postgres/client.ts";
import type { Clock } from "./clock.ts";
import { asDomainError } from "./errors.ts";
import type { Scope } from "./scope.ts";
import type { SecretBox } from "./secret-box.ts";

/** Fields that make two requests identical. */
export interface Request {
  path: string;
  /** normalised, without accidental differences such as the order of fields */
  payload: Readonly<Record<string, unknown>>;
  /** the client's own id of this request: it is then performed once, however late it is repeated */
  requestId: string | null;
}

/** A request to which its sender gave a key, so as to get the same answer if it has to send it again. */
export interface KeyedRequest {
  key: string;
  /** everything that makes it this request: another one with the same key is refused */
  content: Readonly<Record<string, unknown>>;
}

/** Milliseconds after its start in which a request without an id counts as repeated; also while it is running. */
const REPETITION_MS = 2000;
/** No write takes longer, including its retries for a connection and a row lock, so after this we assume a crash. */
const MAX_RUNNING_MS = 5 * 60_000;
const REQUEST_ID_MS = 24 * 3_600_000;
/** Expired records, which may contain answers, are deleted this often. */
const SWEEP_MS = 3_600_000;

/**
 * Lets the first of identical writes through and refuses the others, on whichever server, by inserting a row into the
 * database. A request with an id is recorded before it runs, so that it can't run twice even after a crash.
 */
export class IdempotentRequests {
  readonly #pool: Database["pool"];
  readonly #clock: Clock;
  readonly #box: SecretBox;
  #sweptAtMs = 0;

  /** `accountBox` hashes the content of requests, so that the table doesn't reveal it. */
  constructor(deps: { database: Pick<Database, "pool">; clock: Clock; accountBox: SecretBox }) {
    this.#pool = deps.database.pool;
    this.#clock = deps.clock;
    this.#box = deps.accountBox;
  }

  /**
   * Runs `work`, or returns null if the same request is running or was done. A failed request may be retried at once.
   */
  async once<T>(scope: Scope, request: Request, work: () => Promise<T>): Promise<{ result: T } | null> {
    const text = textOf(scope, request);
    const fingerprint = this.#box.fingerprint(text);
    const startMs = this.#clock.now().getTime();
    const hasId = request.requestId !== null;
    if (await this.#isRecorded(this.#box.fingerprints(text).slice(1), startMs)) return null;
    if (!(await this.#record(fingerprint, startMs + (hasId ? REQUEST_ID_MS : MAX_RUNNING_MS)))) return null;
    try {
      const result = await work();
      if (!hasId) await this.#setExpiry(fingerprint, startMs + REPETITION_MS);
      return { result };
    } catch (error) {
      await this.#setExpiry(fingerprint, startMs);
      throw error;
    }
  }

  /**
   * Runs `work` once per key of a caller, and for a day answers whoever repeats the request with what it returned. A
   * refused request may be sent again. The answer must be JSON. @throws repeated while the request is running, or if it
   * is unknown how it ended; invalid_input if the key came with another request
   */
  async answerOnce<T>(
    scope: Scope,
    { key, content }: KeyedRequest,
    work: () => Promise<T>,
  ): Promise<{ answer: T; isRepeated: boolean }> {
    const text = `answer:${JSON.stringify([scope.hotelId, scope.actor.kind, scope.actor.id, key])}`;
    const [fingerprint = Buffer.alloc(0), ...earlier] = this.#box.fingerprints(text);
    const contentText = JSON.stringify(sorted(content));
    for (const one of [fingerprint, ...earlier]) {
      const first = await this.#findAnswer(one, contentText);
      if (first) return { answer: first.answer as T, isRepeated: true };
    }
    const startMs = this.#clock.now().getTime();
    if (!(await this.#record(fingerprint, startMs + REQUEST_ID_MS, this.#box.fingerprint(contentText))))
      throw new DomainError("repeated");
    const answer = await work().catch(async (error: unknown) => {
      if (isRefusal(error)) await this.#setExpiry(fingerprint, startMs);
      throw error;
    });
    // If this or the work itself fails otherwise, the write may be stored all the same, so the key stays taken.
    const box = this.#box.seal(JSON.stringify(answer), answerContext(fingerprint));
    await this.#pool.query("UPDATE request_once SET answer = $2 WHERE fingerprint = $1", [fingerprint, box]);
    return { answer, isRepeated: false };
  }

  /** @throws as `answerOnce` */
  async #findAnswer(fingerprint: Buffer<ArrayBuffer>, contentText: string): Promise<{ answer: unknown } | null> {
    const { rows } = await this.#pool.query<{ content: Buffer; answer: Buffer | null }>(
      "SELECT content, answer FROM request_once WHERE fingerprint = $1 AND held_until > $2",
      [fingerprint, this.#clock.now()],
    );
    const [row] = rows;
    if (!row) return null;
    if (!this.#box.isFingerprint(contentText, row.content))
      throw new DomainError("invalid_input", {}, { "idempotency-key": { key: v.keyUsed } });
    const text = row.answer && this.#box.open(row.answer, answerContext(fingerprint));
    if (text === null) throw new DomainError("repeated");
    return { answer: JSON.parse(text) };
  }

  /** Checks whether the request was recorded while an earlier key was the newest. */
  async #isRecorded(fingerprints: readonly Buffer<ArrayBuffer>[], nowMs: number): Promise<boolean> {
    if (fingerprints.length === 0) return false;
    const { rowCount } = await this.#pool.query(
      "SELECT FROM request_once WHERE fingerprint = ANY ($1::bytea[]) AND held_until > $2",
      [fingerprints, new Date(nowMs)],
    );
    return rowCount !== 0;
  }

  /** Returns false if the request is already recorded and the record has not expired. */
  async #record(
    fingerprint: Buffer<ArrayBuffer>,
    expiresMs: number,
    content: Buffer<ArrayBuffer> | null = null,
  ): Promise<boolean> {
    const now = this.#clock.now();
    if (now.getTime() - this.#sweptAtMs >= SWEEP_MS) {
      this.#sweptAtMs = now.getTime();
      await this.#pool.query("DELETE FROM request_once WHERE held_until <= $1", [now]);
    }
    const { rowCount } = await this.#pool.query(
      `INSERT INTO request_once (fingerprint, held_until, content) VALUES ($1, $2, $4)
        ON CONFLICT (fingerprint) DO UPDATE
          SET held_until = excluded.held_until, content = excluded.content, answer = NULL
          WHERE request_once.held_until <= $3`,
      [fingerprint, new Date(expiresMs), now, content],
    );
    return rowCount === 1;
  }

  async #setExpiry(fingerprint: Buffer<ArrayBuffer>, expiresMs: number): Promise<void> {
    await this.#pool.query("UPDATE request_once SET held_until = $2 WHERE fingerprint = $1", [
      fingerprint,
      new Date(expiresMs),
    ]);
  }
}

/** Checks whether an error means that nothing was written. A connection may break after the database has committed. */
function isRefusal(error: unknown): boolean {
  const cause = asDomainError(error);
  return cause instanceof ZodError || (cause instanceof DomainError && ERRORS[cause.code].http < 500);
}

/** An answer opens only in the row of its request. */
const answerContext = (fingerprint: Buffer): { outside: string } => ({
  outside: `answer of ${fingerprint.toString("hex")}`,
});

function textOf({ actor, hotelId }: Scope, { path, payload, requestId }: Request): string {
  const key = [hotelId, actor.kind, actor.id, path, requestId];
  return `request:${JSON.stringify([key, sorted(payload)])}`;
}

/** Returns the same value with the fields of every object sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, stored]) => [key, sorted(stored)]),
  );
}

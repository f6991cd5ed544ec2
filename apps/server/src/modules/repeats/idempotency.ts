import type { Clock } from "../../core/clock.ts";
import type { Scope } from "../../core/scope.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../infra/database/client.ts";

/** What makes two requests the same one. */
export interface Request {
  path: string;
  /** without what differs by accident, such as the order of fields */
  payload: Readonly<Record<string, unknown>>;
  /** the client's own name of this request: then it is done once, however late it comes again */
  requestId: string | null;
}

/** A request without a name is the same one for so long after it began, and while it is at work. */
const SAME_MS = 2000;
/** No write takes longer, all its tries for a connection and a lock together; then a crash is assumed. */
const AT_WORK_MS = 5 * 60_000;
const NAMED_MS = 24 * 3_600_000;
const SWEEP_EVERY = 500;

/**
 * Lets the first of identical writes through and turns the others away, whichever server they reach: rows in the database,
 * taken by insert. A named request is held from the start, so that not even a crash lets it happen twice.
 */
export class Repeats {
  readonly #pool: Database["pool"];
  readonly #clock: Clock;
  readonly #box: SecretBox;
  #taken = 0;

  /** The box hashes what requests carry, which the table must not tell. */
  constructor(deps: { database: Pick<Database, "pool">; clock: Clock; accountBox: SecretBox }) {
    this.#pool = deps.database.pool;
    this.#clock = deps.clock;
    this.#box = deps.accountBox;
  }

  /** Runs `work` unless the same is or was done: then null. What fails may be tried again at once. */
  async once<T>(scope: Scope, request: Request, work: () => Promise<T>): Promise<{ result: T } | null> {
    const text = textOf(scope, request);
    const fingerprint = this.#box.fingerprint(text);
    const begun = this.#clock.now().getTime();
    const named = request.requestId !== null;
    if (await this.#isHeld(this.#box.fingerprints(text).slice(1), begun)) return null;
    if (!(await this.#take(fingerprint, begun + (named ? NAMED_MS : AT_WORK_MS)))) return null;
    try {
      const result = await work();
      if (!named) await this.#hold(fingerprint, begun + SAME_MS);
      return { result };
    } catch (error) {
      await this.#hold(fingerprint, begun);
      throw error;
    }
  }

  /** Whether it was taken while an earlier key was the newest. */
  async #isHeld(earlier: readonly Buffer<ArrayBuffer>[], now: number): Promise<boolean> {
    if (earlier.length === 0) return false;
    const { rowCount } = await this.#pool.query(
      "SELECT FROM request_once WHERE fingerprint = ANY ($1::bytea[]) AND held_until > $2",
      [earlier, new Date(now)],
    );
    return rowCount !== 0;
  }

  async #take(fingerprint: Buffer<ArrayBuffer>, until: number): Promise<boolean> {
    const now = this.#clock.now();
    this.#taken += 1;
    if (this.#taken % SWEEP_EVERY === 1)
      await this.#pool.query("DELETE FROM request_once WHERE held_until <= $1", [now]);
    const { rowCount } = await this.#pool.query(
      `INSERT INTO request_once (fingerprint, held_until) VALUES ($1, $2)
        ON CONFLICT (fingerprint) DO UPDATE SET held_until = excluded.held_until WHERE request_once.held_until <= $3`,
      [fingerprint, new Date(until), now],
    );
    return rowCount === 1;
  }

  async #hold(fingerprint: Buffer<ArrayBuffer>, until: number): Promise<void> {
    await this.#pool.query("UPDATE request_once SET held_until = $2 WHERE fingerprint = $1", [
      fingerprint,
      new Date(until),
    ]);
  }
}

function textOf({ actor, hotelId }: Scope, { path, payload, requestId }: Request): string {
  const key = [hotelId, actor.kind, actor.id, path, requestId];
  return `request:${JSON.stringify([key, sorted(payload)])}`;
}

/** The same value with the fields of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, held]) => [key, sorted(held)]),
  );
}

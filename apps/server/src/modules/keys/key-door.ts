import { timingSafeEqual } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Clock } from "../../core/clock.ts";
import { keyActor, type Scope } from "../../core/scope.ts";
import type { ScopeFactory } from "../../core/scope-factory.ts";
import type { Database } from "../../infra/database/client.ts";
import { networkOf } from "../auth/network-of.ts";
import { type HotelAtDoor, hotelColumns, hotelOf } from "../auth/operator-at-hotel.ts";
import type { Visitor } from "../auth/visitor.ts";
import { readKeyToken } from "./key-token.ts";

export interface KeyHolder {
  scope: Scope;
  boardVersion: string;
}

/** Of one process; a key may be busy, a guesser is sent away for a minute before the database is asked again. */
const REQUESTS = { points: 600, duration: 60 };
const FAILURES = { points: 30, duration: 60 };
/** `last_used_at` is written at most this often. */
const TOUCH_MS = 60_000;
/** Compared with what an unknown key was shown, so that it is refused in the same time as a wrong one. */
const NOBODYS_HASH = Buffer.alloc(32);

interface KeyRow extends HotelAtDoor {
  apiKeyId: number;
  apiKeyName: string;
  scopes: string[];
  secretHash: Buffer;
  live: boolean;
  stale: boolean;
}

const RESOLVE = `SELECT ${hotelColumns}, k.id AS "apiKeyId", k.name AS "apiKeyName", k.scopes,
    k.secret_hash AS "secretHash", k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2) AS live,
    k.last_used_at IS NULL OR k.last_used_at <= $3 AS stale
  FROM api_key k JOIN hotel h ON h.id = k.hotel_id JOIN hotel_state hs ON hs.hotel_id = h.id WHERE k.key_id = $1`;

/** Where programs come in: what a key stands for. Unknown, wrong, expired and revoked ones are refused alike. */
export class KeyDoor {
  readonly #held: { database: Pick<Database, "pool">; clock: Clock; openScope: ScopeFactory };
  readonly #requests = new RateLimiterMemory({ ...REQUESTS, keyPrefix: "key" });
  readonly #failures = new RateLimiterMemory({ ...FAILURES, keyPrefix: "address" });

  constructor(held: { database: Pick<Database, "pool">; clock: Clock; openScope: ScopeFactory }) {
    this.#held = held;
  }

  /**
   * One round trip, and now and then the note of its use. `touch` false looks without counting as use, for streams.
   * @throws key_invalid; too_many_attempts with retryAfterSeconds
   */
  async resolve(token: string, visitor: Visitor, touch: boolean): Promise<KeyHolder> {
    const network = networkOf(visitor.address);
    const failures = await this.#failures.get(network);
    if (failures && failures.consumedPoints >= FAILURES.points) throw tooMany(failures.msBeforeNext);
    const row = await this.#find(token);
    if (!row) {
      await this.#failures.penalty(network);
      throw new DomainError("key_invalid");
    }
    if (touch) {
      await this.#count(row);
      if (row.stale) await this.#noteUse(row, visitor);
    }
    const { language, address, requestId, door } = visitor;
    const actor = keyActor({ id: row.apiKeyId, name: row.apiKeyName, scopes: row.scopes });
    const scope = this.#held.openScope({ actor, hotel: hotelOf(row), language, door, address, requestId });
    return { scope, boardVersion: row.boardVersion };
  }

  async #find(token: string): Promise<KeyRow | null> {
    const { database, clock } = this.#held;
    const shown = readKeyToken(token);
    if (!shown) return null;
    const now = clock.now();
    const values = [shown.keyId, now, new Date(now.getTime() - TOUCH_MS)];
    const { rows } = await database.pool.query<KeyRow>({ name: "key-resolve", text: RESOLVE, values });
    const [row] = rows;
    const proven = timingSafeEqual(row?.secretHash ?? NOBODYS_HASH, shown.secretHash);
    return row && proven && row.live ? row : null;
  }

  async #count({ apiKeyId }: KeyRow): Promise<void> {
    try {
      await this.#requests.consume(apiKeyId);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw tooMany(refused.msBeforeNext);
      throw refused;
    }
  }

  async #noteUse({ apiKeyId }: KeyRow, { address }: Visitor): Promise<void> {
    const now = this.#held.clock.now();
    await this.#held.database.pool.query(
      `UPDATE api_key SET last_used_at = $2, last_used_address = $3
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $4)`,
      [apiKeyId, now, address, new Date(now.getTime() - TOUCH_MS)],
    );
  }
}

function tooMany(milliseconds: number): DomainError {
  return new DomainError("too_many_attempts", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}

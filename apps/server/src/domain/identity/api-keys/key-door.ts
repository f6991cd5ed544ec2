import { timingSafeEqual } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { Database } from "../../../adapters/postgres/client.ts";
import { networkOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { keyActor, type Scope } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { ScopeFactory } from "../../../kernel/system-scope.ts";
import { tooManyAttempts } from "../../../kernel/too-many-attempts.ts";
import { type HotelAtDoor, hotelColumns, hotelOf } from "../login/operator-at-hotel.ts";
import type { Visitor } from "../login/visitor.ts";
import { issueKeyPass, type KeyPass, readKeyPass, readKeyToken } from "./key-token.ts";

export interface KeyHolder {
  scope: Scope;
  boardVersion: string;
}

interface KeyDoorDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  openScope: ScopeFactory;
  gatewayBox: SecretBox;
  rateLimits: RateLimits;
}

/** Limits per minute: an active key may send many requests, but a client that guesses keys is soon blocked. */
const REQUESTS = { points: 600, duration: 60 };
const FAILURES = { points: 30, duration: 60 };
/** `last_used_at` is updated at most this often. */
const TOUCH_MS = 60_000;
/** Compared with the secret of an unknown key, so that the refusal takes as long as for a wrong secret. */
const NOBODYS_HASH = Buffer.alloc(32);

interface KeyRow extends HotelAtDoor {
  apiKeyId: number;
  apiKeyName: string;
  scopes: string[];
  secretHash: Buffer;
  expiresAt: Date | null;
  live: boolean;
  stale: boolean;
}

const KEY = `SELECT ${hotelColumns}, k.id AS "apiKeyId", k.name AS "apiKeyName", k.scopes,
    k.secret_hash AS "secretHash", k.expires_at AS "expiresAt", k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2) AS live,
    k.last_used_at IS NULL OR k.last_used_at <= $3 AS stale
  FROM api_key k JOIN hotel h ON h.id = k.hotel_id JOIN hotel_state hs ON hs.hotel_id = h.id`;
const RESOLVE = { name: "key-resolve", text: `${KEY} WHERE k.key_id = $1` };
const RESOLVE_PASS = { name: "key-pass-resolve", text: `${KEY} WHERE k.id = $1` };

/** Resolves API keys to scopes. Unknown, wrong, expired and revoked keys are refused in the same way. */
export class KeyDoor {
  readonly #held: KeyDoorDeps;
  readonly #requests: RateLimiter;
  readonly #failures: RateLimiter;

  constructor(deps: KeyDoorDeps) {
    this.#held = deps;
    this.#requests = deps.rateLimits("keyRequests", REQUESTS);
    this.#failures = deps.rateLimits("keyFailures", FAILURES);
  }

  /**
   * Resolves a key in one query, plus an occasional update of its last use. Streams pass `touch` false, so that a
   * look-up does not count as use.
   * @throws key_invalid; too_many_attempts with retryAfterSeconds
   */
  async resolve(token: string, visitor: Visitor, touch: boolean): Promise<KeyHolder> {
    const row = await this.#proven(token, visitor);
    if (touch) await this.#use(row, visitor);
    return this.#holder(row, visitor);
  }

  /**
   * Issues a temporary pass that does not contain the key's secret and expires no later than the key. Counts as use.
   * @throws as `resolve`
   */
  async logIn(token: string, visitor: Visitor): Promise<KeyPass> {
    const row = await this.#proven(token, visitor);
    await this.#use(row, visitor);
    return issueKeyPass(this.#held.gatewayBox, row, this.#held.clock.now());
  }

  /** Resolves the key of a pass if both are still valid. Counts as use. @throws key_invalid, too_many_attempts */
  async resolvePass(token: string, visitor: Visitor): Promise<KeyHolder> {
    const apiKeyId = readKeyPass(this.#held.gatewayBox, token, this.#held.clock.now());
    const row = apiKeyId === null ? undefined : await this.#find(RESOLVE_PASS, apiKeyId);
    if (!row?.live) throw new DomainError("key_invalid");
    await this.#use(row, visitor);
    return this.#holder(row, visitor);
  }

  #holder(row: KeyRow, { language, address, requestId, channel }: Visitor): KeyHolder {
    const actor = keyActor({ id: row.apiKeyId, name: row.apiKeyName, scopes: row.scopes });
    const scope = this.#held.openScope({ actor, hotel: hotelOf(row), language, channel, address, requestId });
    return { scope, boardVersion: row.boardVersion };
  }

  async #proven(token: string, visitor: Visitor): Promise<KeyRow> {
    const network = networkOf(visitor.address);
    const { taken: used, forgottenInMs } = await this.#failures.read(network);
    if (used >= FAILURES.points) throw tooManyAttempts(forgottenInMs);
    const keyId = readKeyToken(token);
    const row = keyId ? await this.#find(RESOLVE, keyId.keyId) : undefined;
    const right = keyId !== null && timingSafeEqual(row?.secretHash ?? NOBODYS_HASH, keyId.secretHash);
    if (row?.live && right) return row;
    await this.#failures.count(network);
    throw new DomainError("key_invalid");
  }

  async #find(query: { name: string; text: string }, which: string | number): Promise<KeyRow | undefined> {
    const now = this.#held.clock.now();
    const values = [which, now, new Date(now.getTime() - TOUCH_MS)];
    const { rows } = await this.#held.database.pool.query<KeyRow>({ ...query, values });
    return rows[0];
  }

  async #use(row: KeyRow, visitor: Visitor): Promise<void> {
    const waitMs = await this.#requests.take(String(row.apiKeyId));
    if (waitMs !== null) throw tooManyAttempts(waitMs);
    if (row.stale) await this.#noteUse(row, visitor);
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

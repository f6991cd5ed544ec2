import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import type * as schema from "@innkey/shared/schemas/messaging";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import { networkOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import { keyActor, requireIntegrations, type Scope, type ScopeFactory } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { type HotelWithBoard, hotelColumns, hotelOf } from "../login/sessions.ts";
import type { Visitor } from "../login/visitor.ts";

/** `ik_<key id>_<secret>`: the id finds the key; the secret, 256 random bits as base64url, proves it. */
const TOKEN = /^ik_([0-9a-f]{16})_([\w-]{43})$/;
const ID_BYTES = 8;
const SECRET_BYTES = 32;

export interface KeyToken {
  keyId: string;
  token: string;
  secretHash: Buffer<ArrayBuffer>;
}

export function newKeyToken(): KeyToken & { secret: string } {
  const keyId = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { keyId, secret, token: `ik_${keyId}_${secret}`, secretHash: hashOf(secret) };
}

/** Returns null if the text does not have the format of a key. */
export function readKeyToken(token: string): Omit<KeyToken, "token"> | null {
  const [, keyId, secret] = TOKEN.exec(token) ?? [];
  return keyId && secret ? { keyId, secretHash: hashOf(secret) } : null;
}

function hashOf(secret: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(secret).digest();
}

/** Temporary token that a client uses instead of its API key. */
export interface KeyPass {
  token: string;
  expiresInSeconds: number;
}

/** The pass is sealed and contains the id of the key and the expiry time, so clients can neither read nor forge it. */
const PASS = /^gk_([\w-]{20,200})$/;
const CONTEXT = { outside: "key pass" };
const MAX_LIFE_MS = 12 * 3_600_000;

export function issueKeyPass(
  box: SecretBox,
  { apiKeyId, expiresAt: keyEnd }: { apiKeyId: number; expiresAt: Date | null },
  now: Date,
): KeyPass {
  const lifeMs = Math.min(MAX_LIFE_MS, (keyEnd?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime());
  const sealed = box.seal(`${apiKeyId}:${now.getTime() + lifeMs}`, CONTEXT);
  return { token: `gk_${sealed.toString("base64url")}`, expiresInSeconds: Math.floor(lifeMs / 1000) };
}

const isKeyPass = (token: string): boolean => PASS.test(token);
/** A key as programs present it: `key` is "ik_" and the key's id, or the id alone. */
export interface KeyParts {
  key: string;
  secret: string;
}

const tokenOf = ({ key, secret }: KeyParts): string => `ik_${key.replace(/^ik_/, "")}_${secret}`;

/** Returns the id of the key, or null if the pass is invalid or has expired. */
export function readKeyPass(box: SecretBox, token: string, now: Date): number | null {
  const sealed = PASS.exec(token)?.[1];
  const content = sealed === undefined ? null : box.open(Buffer.from(sealed, "base64url"), CONTEXT);
  const [apiKeyId = 0, end = 0] = (content ?? "").split(":").map(Number);
  return apiKeyId > 0 && end > now.getTime() ? apiKeyId : null;
}

export interface KeyHolder {
  scope: Scope;
  boardVersion: string;
  snapshot: string;
}

interface ApiKeyDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  openScope: ScopeFactory;
  gatewayBox: SecretBox;
  rateLimits: RateLimits;
}

/** Limits per minute: an active key may send many requests, but a client that guesses keys is soon blocked. */
const REQUEST_LIMIT = { points: 600, duration: 60 };
const FAILURE_LIMIT = { points: 30, duration: 60 };
/** `last_used_at` is updated at most this often. */
const TOUCH_MS = 60_000;
/** Compared with the secret of an unknown key, so that the refusal takes as long as for a wrong secret. */
const UNKNOWN_KEY_HASH = Buffer.alloc(32);

interface KeyRow extends HotelWithBoard {
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
  readonly #deps: ApiKeyDeps;
  readonly #requests: RateLimiter;
  readonly #failures: RateLimiter;

  constructor(deps: ApiKeyDeps) {
    this.#deps = deps;
    this.#requests = deps.rateLimits("keyRequests", REQUEST_LIMIT);
    this.#failures = deps.rateLimits("keyFailures", FAILURE_LIMIT);
  }

  /**
   * Resolves a key in one query, plus an occasional update of its last use. Streams pass `touch` false, so that a
   * look-up does not count as use.
   * @throws key_invalid; too_many_attempts with retryAfterSeconds
   */
  async resolve(token: string, visitor: Visitor, touch: boolean): Promise<KeyHolder> {
    const row = await this.#verify(token, visitor);
    if (touch) await this.#countUse(row, visitor);
    return this.#holder(row, visitor);
  }

  /**
   * Issues a temporary pass that does not contain the key's secret and expires no later than the key. Counts as use.
   * @throws as `resolve`
   */
  async logIn(parts: KeyParts, visitor: Visitor): Promise<KeyPass> {
    const row = await this.#verify(tokenOf(parts), visitor);
    await this.#countUse(row, visitor);
    return issueKeyPass(this.#deps.gatewayBox, row, this.#deps.clock.now());
  }

  /**
   * Resolves a bearer token that is a pass or a key; returns null for any other token. Counts as use. @throws
   * key_invalid, too_many_attempts
   */
  async resolveBearer(token: string, visitor: Visitor): Promise<KeyHolder | null> {
    if (isKeyPass(token)) return this.resolvePass(token, visitor);
    return token.startsWith("ik_") ? this.resolve(token, visitor, true) : null;
  }

  /** Resolves the key of a pass if both are still valid. Counts as use. @throws key_invalid, too_many_attempts */
  async resolvePass(token: string, visitor: Visitor): Promise<KeyHolder> {
    const apiKeyId = readKeyPass(this.#deps.gatewayBox, token, this.#deps.clock.now());
    const row = apiKeyId === null ? undefined : await this.#find(RESOLVE_PASS, apiKeyId);
    if (!row?.live) throw new DomainError("key_invalid");
    await this.#countUse(row, visitor);
    return this.#holder(row, visitor);
  }

  #holder(row: KeyRow, { language, address, requestId, channel }: Visitor): KeyHolder {
    const actor = keyActor({ id: row.apiKeyId, name: row.apiKeyName, scopes: row.scopes });
    const scope = this.#deps.openScope({ actor, hotel: hotelOf(row), language, channel, address, requestId });
    return { scope, boardVersion: row.boardVersion, snapshot: row.snapshot };
  }

  async #verify(token: string, visitor: Visitor): Promise<KeyRow> {
    const network = networkOf(visitor.address);
    const { count: used, resetInMs } = await this.#failures.read(network);
    if (used >= FAILURE_LIMIT.points) throw tooManyAttempts(resetInMs);
    const key = readKeyToken(token);
    const row = key ? await this.#find(RESOLVE, key.keyId) : undefined;
    const isRight = key !== null && timingSafeEqual(row?.secretHash ?? UNKNOWN_KEY_HASH, key.secretHash);
    if (row?.live && isRight) return row;
    await this.#failures.count(network);
    throw new DomainError("key_invalid");
  }

  async #find(query: { name: string; text: string }, which: string | number): Promise<KeyRow | undefined> {
    const now = this.#deps.clock.now();
    const values = [which, now, new Date(now.getTime() - TOUCH_MS)];
    const { rows } = await this.#deps.database.pool.query<KeyRow>({ ...query, values });
    return rows[0];
  }

  async #countUse(row: KeyRow, visitor: Visitor): Promise<void> {
    const waitMs = await this.#requests.take(String(row.apiKeyId));
    if (waitMs !== null) throw tooManyAttempts(waitMs);
    if (row.stale) await this.#recordUse(row, visitor);
  }

  async #recordUse({ apiKeyId }: KeyRow, { address }: Visitor): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.database.pool.query(
      `UPDATE api_key SET last_used_at = $2, last_used_address = $3
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $4)`,
      [apiKeyId, now, address, new Date(now.getTime() - TOUCH_MS)],
    );
  }
}

/** Returns all keys of the hotel, live ones first, then newest first. @throws no_permission, feature_off */
export async function list(scope: Scope): Promise<schema.KeyRow[]> {
  requireIntegrations(scope);
  return scope.sql.rows<schema.KeyRow>(
    `SELECT k.id, k.name, k.key_id AS "keyId", k.scopes, k.state, iso(k.expires_at) AS "expiresAt",
        iso(k.last_used_at) AS "lastUsedAt", k.last_used_address AS "lastUsedAddress", iso(k.created_at) AS "createdAt",
        (SELECT name FROM operator WHERE id = k.created_by_id) AS "operatorName", iso(k.revoked_at) AS "revokedAt"
      FROM (SELECT *, CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= $2 THEN 'expired' ELSE 'live' END
              AS state FROM api_key WHERE hotel_id = $1) k
      ORDER BY k.state <> 'live', k.created_at DESC, k.id DESC`,
    scope.now(),
  );
}

/** Returns the keys that were not revoked, as `list` does, each with the `key` by which programs present it. */
export async function listUnrevoked(scope: Scope): Promise<(schema.KeyRow & Pick<KeyParts, "key">)[]> {
  const rows = await list(scope);
  return rows.filter(({ state }) => state !== "revoked").map((row) => ({ ...row, key: `ik_${row.keyId}` }));
}

/** Scopes that the card-service gateway needs; keys of old clients have them unless they name others. */
export const GATEWAY_SCOPES = ["rooms.view", "cards.view", "cards.issue"] as const;

/** Creates a key as `create` does, and returns its two parts. */
export async function createForGateway(
  scope: Scope,
  input: Omit<z.infer<typeof schema.createKeyInput>, "scopes"> &
    Partial<Pick<z.infer<typeof schema.createKeyInput>, "scopes">>,
): Promise<{ id: number } & KeyParts> {
  const { id, keyId, secret } = await create(scope, { ...input, scopes: input.scopes ?? [...GATEWAY_SCOPES] });
  return { id, key: `ik_${keyId}`, secret };
}

/**
 * Creates a key; only this answer contains its token. @throws no_permission, feature_off; invalid_input if it would
 * have expired already
 */
export async function create(
  scope: Scope,
  input: z.infer<typeof schema.createKeyInput>,
): Promise<schema.KeyCreated & { keyId: string; secret: string }> {
  requireIntegrations(scope);
  const { name, expiresAt } = input;
  if (expiresAt !== null && Date.parse(expiresAt) <= scope.now().getTime()) {
    throw new DomainError("invalid_input", {}, { expiresAt: { key: v.endPast } });
  }
  const scopes = [...new Set(input.scopes)];
  const { keyId, secret, token, secretHash } = newKeyToken();
  return scope.write(async (tx) => {
    const { hotelId, operatorId: createdById } = scope;
    const { id } = await tx.db.apiKey.create({
      data: { hotelId, name, keyId, secretHash, scopes, expiresAt, createdById, createdAt: scope.now() },
      select: { id: true },
    });
    tx.audit({ action: "key.create", entity: "key", entityId: id, after: { name, keyId, scopes, expiresAt } });
    return { id, token, keyId, secret };
  });
}

/**
 * Revokes a key with immediate effect. @throws no_permission, feature_off, not_found; state_conflict if already revoked
 */
export async function revoke(scope: Scope, { id }: z.infer<typeof schema.keyRef>): Promise<{ id: number }> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const key = await tx.db.apiKey.findFirst({ where: { id }, select: { name: true } });
    if (!key) throw new DomainError("not_found");
    const { count } = await tx.db.apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: scope.now() },
    });
    if (count === 0) throw new DomainError("state_conflict", { state: "revoked" });
    tx.audit({ action: "key.revoke", entity: "key", entityId: id, before: { name: key.name } });
    return { id };
  });
}

import { createHash, randomBytes } from "node:crypto";
import type { SecretBox } from "../../../kernel/secret-box.ts";

/** `ik_<key id>_<secret>`: the id finds the key; the secret, 256 random bits as base64url, proves it. */
const TOKEN = /^ik_([0-9a-f]{16})_([\w-]{43})$/;
const ID_BYTES = 8;
const SECRET_BYTES = 32;

export interface KeyToken {
  keyId: string;
  token: string;
  secretHash: Buffer<ArrayBuffer>;
}

export function newKeyToken(): KeyToken {
  const keyId = randomBytes(ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { keyId, token: `ik_${keyId}_${secret}`, secretHash: hashOf(secret) };
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
const LIFE_MS = 12 * 3_600_000;

export function issueKeyPass(
  box: SecretBox,
  { apiKeyId, expiresAt: keyEnd }: { apiKeyId: number; expiresAt: Date | null },
  now: Date,
): KeyPass {
  const lifeMs = Math.min(LIFE_MS, (keyEnd?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime());
  const sealed = box.seal(`${apiKeyId}:${now.getTime() + lifeMs}`, CONTEXT);
  return { token: `gk_${sealed.toString("base64url")}`, expiresInSeconds: Math.floor(lifeMs / 1000) };
}

export const isKeyPass = (token: string): boolean => PASS.test(token);

/** Returns the id of the key, or null if the pass is invalid or has expired. */
export function readKeyPass(box: SecretBox, token: string, now: Date): number | null {
  const sealed = PASS.exec(token)?.[1];
  const opened = sealed === undefined ? null : box.open(Buffer.from(sealed, "base64url"), CONTEXT);
  const [apiKeyId = 0, end = 0] = (opened ?? "").split(":").map(Number);
  return apiKeyId > 0 && end > now.getTime() ? apiKeyId : null;
}

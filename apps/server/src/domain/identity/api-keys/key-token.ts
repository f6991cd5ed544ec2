import { createHash, randomBytes } from "node:crypto";

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

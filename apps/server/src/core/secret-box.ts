import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encryption at rest: AES-256-GCM with a key per purpose derived from the configured one by HKDF.
 * A box is key id (4) ‖ nonce (12) ‖ tag (16) ‖ cipher text; the key id lets old boxes be found when keys rotate.
 */
export interface SecretBox {
  seal(plain: string): Buffer<ArrayBuffer>;
  /** null if the box was not made with this key or was changed */
  open(box: Uint8Array): string | null;
  /** the same for what is no text: pictures */
  sealBytes(plain: Uint8Array): Buffer<ArrayBuffer>;
  openBytes(box: Uint8Array): Buffer<ArrayBuffer> | null;
  /** keyed hash for exact search of what is stored encrypted */
  fingerprint(value: string): Buffer<ArrayBuffer>;
}

const KEY_ID = 4;
const NONCE = 12;
const TAG = 16;

export type SecretPurpose =
  | "account"
  | "card"
  | "code"
  | "cookie"
  | "document"
  | "face"
  | "gateway"
  | "lock"
  | "message"
  | "payout"
  | "webhook";

export function secretBox(rootKey: Uint8Array, purpose: SecretPurpose): SecretBox {
  const derive = (use: string): Buffer => Buffer.from(hkdfSync("sha256", rootKey, "innkey", `${purpose}:${use}`, 32));
  const encryptionKey = derive("encrypt");
  const hashKey = derive("fingerprint");
  const keyId = createHash("sha256").update(encryptionKey).digest().subarray(0, KEY_ID);

  function sealBytes(plain: Uint8Array): Buffer<ArrayBuffer> {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", encryptionKey, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([keyId, nonce, cipher.getAuthTag(), body]);
  }

  function openBytes(box: Uint8Array): Buffer<ArrayBuffer> | null {
    const bytes = Buffer.from(box);
    if (bytes.length < KEY_ID + NONCE + TAG || !bytes.subarray(0, KEY_ID).equals(keyId)) return null;
    const nonce = bytes.subarray(KEY_ID, KEY_ID + NONCE);
    const decipher = createDecipheriv("aes-256-gcm", encryptionKey, nonce);
    decipher.setAuthTag(bytes.subarray(KEY_ID + NONCE, KEY_ID + NONCE + TAG));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(KEY_ID + NONCE + TAG)), decipher.final()]);
    } catch {
      return null;
    }
  }

  return {
    seal: (plain) => sealBytes(Buffer.from(plain, "utf8")),
    open: (box) => openBytes(box)?.toString("utf8") ?? null,
    sealBytes,
    openBytes,
    fingerprint: (value) => createHmac("sha256", hashKey).update(value).digest(),
  };
}

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Where an encrypted value is stored. A box opens only there, so copying it to another row, column or hotel is
 * useless. To encrypt before a row exists, draw its id first (`nextId` in kernel/transaction.ts).
 */
export type SealContext =
  | {
      /** `table.column`, as in domain/compliance/secrets/sealed-columns.ts */
      column: `${string}.${string}`;
      /** null for tables that belong to no hotel */
      hotelId: number | null;
      /** The row's primary key without the hotel; empty if there is one row per hotel */
      row: number | string;
    }
  /** Name of a value that the console issues and later receives back, such as a cookie */
  | { outside: string };

/**
 * Encryption at rest: AES-256-GCM, with one key per purpose derived from the configured key by HKDF, and bound to its
 * context. A box is key id (4) ‖ nonce (12) ‖ tag (16) ‖ cipher text; the key id tells which boxes a rotation must
 * encrypt again. During a rotation, previous keys still open boxes and find hashes; new ones always use the newest
 * key.
 */
export interface SecretBox {
  seal(plain: string, context: SealContext): Buffer<ArrayBuffer>;
  /** Returns null if the box was made with an unknown key or for another context, or was changed */
  open(box: Uint8Array, context: SealContext): string | null;
  /** The same for bytes, such as pictures */
  sealBytes(plain: Uint8Array, context: SealContext): Buffer<ArrayBuffer>;
  openBytes(box: Uint8Array, context: SealContext): Buffer<ArrayBuffer> | null;
  /** Keyed hash for exact searches in encrypted columns */
  fingerprint(value: string): Buffer<ArrayBuffer>;
  /** The hash by each key, newest first, because the stored one may have been made with a previous key */
  fingerprints(value: string): Buffer<ArrayBuffer>[];
  /** Checks whether a hash is the value's, by any key; constant time for equal lengths */
  isFingerprint(value: string, hash: Uint8Array): boolean;
  /** First bytes of boxes made with the newest key */
  readonly keyId: Buffer<ArrayBuffer>;
}

const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SecretPurpose =
  | "account"
  | "card"
  | "code"
  | "cookie"
  | "document"
  | "face"
  | "gateway"
  | "journal" // the audit chain's heads; the name is part of the key derivation
  | "lock"
  | "message"
  | "payout"
  | "totp"
  | "webhook";

interface Key {
  id: Buffer<ArrayBuffer>;
  encryption: Buffer;
  hash: Buffer;
}

function keyFor(rootKey: Uint8Array, purpose: SecretPurpose): Key {
  const derive = (use: string): Buffer => Buffer.from(hkdfSync("sha256", rootKey, "innkey", `${purpose}:${use}`, 32));
  const encryption = derive("encrypt");
  const id = Buffer.from(createHash("sha256").update(encryption).digest().subarray(0, KEY_ID_BYTES));
  return { id, encryption, hash: derive("fingerprint") };
}

/** Returns the additional authenticated data; it is unique per context. */
function additionalData(context: SealContext): Buffer {
  const parts = "outside" in context ? [context.outside] : [context.column, context.hotelId, String(context.row)];
  return Buffer.from(JSON.stringify(parts));
}

function sealWith({ id, encryption }: Key, plain: Uint8Array, context: SealContext): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", encryption, nonce).setAAD(additionalData(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([id, nonce, cipher.getAuthTag(), body]);
}

function openWith({ encryption }: Key, bytes: Buffer, context: SealContext): Buffer<ArrayBuffer> | null {
  const nonce = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", encryption, nonce, { authTagLength: TAG_BYTES });
  decipher
    .setAAD(additionalData(context))
    .setAuthTag(bytes.subarray(KEY_ID_BYTES + NONCE_BYTES, KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Creates a box that encrypts with `rootKey`; `previous` keys only decrypt. */
export function secretBox(
  rootKey: Uint8Array,
  purpose: SecretPurpose,
  previous: readonly Uint8Array[] = [],
): SecretBox {
  const newest = keyFor(rootKey, purpose);
  const keys = [newest, ...previous.map((key) => keyFor(key, purpose))];
  const hashWith = ({ hash }: Key, value: string): Buffer<ArrayBuffer> =>
    createHmac("sha256", hash).update(value).digest();

  function openBytes(box: Uint8Array, context: SealContext): Buffer<ArrayBuffer> | null {
    const bytes = Buffer.from(box);
    if (bytes.length < KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES) return null;
    const key = keys.find(({ id }) => id.equals(bytes.subarray(0, KEY_ID_BYTES)));
    return key ? openWith(key, bytes, context) : null;
  }

  return {
    keyId: newest.id,
    seal: (plain, context) => sealWith(newest, Buffer.from(plain, "utf8"), context),
    open: (box, context) => openBytes(box, context)?.toString("utf8") ?? null,
    sealBytes: (plain, context) => sealWith(newest, plain, context),
    openBytes,
    fingerprint: (value) => hashWith(newest, value),
    fingerprints: (value) => keys.map((key) => hashWith(key, value)),
    isFingerprint(value, hash) {
      const equal = keys.map((key) => {
        const expected = hashWith(key, value);
        return expected.length === hash.length && timingSafeEqual(expected, hash);
      });
      return equal.includes(true);
    },
  };
}

/** Compares two secrets of any length in constant time. We compare hashes, because the comparison needs equal lengths. */
export function sameSecret(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

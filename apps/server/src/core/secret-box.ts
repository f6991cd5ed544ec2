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
 * Where a sealed value is kept. Its box opens there and nowhere else, so that whoever copies it into another row, column
 * or hotel has nothing. A row that is sealed before it is written has its id drawn first (`nextId` in core/next-id.ts).
 */
export type SealContext =
  | {
      /** `table.column`, as in modules/secrets/sealed-columns.ts */
      column: `${string}.${string}`;
      /** null where the table belongs to no hotel */
      hotelId: number | null;
      /** the row's primary key, without the hotel; empty where a hotel has one row */
      row: number | string;
    }
  /** what the console hands out and takes back, by its name */
  | { outside: string };

/**
 * Encryption at rest: AES-256-GCM with a key per purpose derived from the configured one by HKDF, bound to its place.
 * A box is key id (4) ‖ nonce (12) ‖ tag (16) ‖ cipher text; the key id lets old boxes be found when keys rotate. While
 * they do, keys of before open what they sealed and find what they hashed; everything new is made with the newest.
 */
export interface SecretBox {
  seal(plain: string, place: SealContext): Buffer<ArrayBuffer>;
  /** null if the box was made with none of the keys or for another place, or was changed */
  open(box: Uint8Array, place: SealContext): string | null;
  /** the same for what is no text: pictures */
  sealBytes(plain: Uint8Array, place: SealContext): Buffer<ArrayBuffer>;
  openBytes(box: Uint8Array, place: SealContext): Buffer<ArrayBuffer> | null;
  /** keyed hash for exact search of what is stored encrypted */
  fingerprint(value: string): Buffer<ArrayBuffer>;
  /** the hash by each key, the newest first: what is searched may have been hashed with one of before */
  fingerprints(value: string): Buffer<ArrayBuffer>[];
  /** whether a hash is the value's, by whichever key; equal time for equal lengths */
  isFingerprint(value: string, hash: Uint8Array): boolean;
  /** what boxes of the newest key begin with */
  readonly keyId: Buffer<ArrayBuffer>;
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
  | "journal"
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
  const id = Buffer.from(createHash("sha256").update(encryption).digest().subarray(0, KEY_ID));
  return { id, encryption, hash: derive("fingerprint") };
}

/** Additional authenticated data: no two places have the same bytes. */
function boundTo(place: SealContext): Buffer {
  const parts = "outside" in place ? [place.outside] : [place.column, place.hotelId, String(place.row)];
  return Buffer.from(JSON.stringify(parts));
}

function sealWith({ id, encryption }: Key, plain: Uint8Array, place: SealContext): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", encryption, nonce).setAAD(boundTo(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([id, nonce, cipher.getAuthTag(), body]);
}

function openWith({ encryption }: Key, bytes: Buffer, place: SealContext): Buffer<ArrayBuffer> | null {
  const nonce = bytes.subarray(KEY_ID, KEY_ID + NONCE);
  const decipher = createDecipheriv("aes-256-gcm", encryption, nonce, { authTagLength: TAG });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(KEY_ID + NONCE, KEY_ID + NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(KEY_ID + NONCE + TAG)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Seals with `rootKey`; `previous` are keys of before. */
export function secretBox(
  rootKey: Uint8Array,
  purpose: SecretPurpose,
  previous: readonly Uint8Array[] = [],
): SecretBox {
  const newest = keyFor(rootKey, purpose);
  const keys = [newest, ...previous.map((key) => keyFor(key, purpose))];
  const hashWith = ({ hash }: Key, value: string): Buffer<ArrayBuffer> =>
    createHmac("sha256", hash).update(value).digest();

  function openBytes(box: Uint8Array, place: SealContext): Buffer<ArrayBuffer> | null {
    const bytes = Buffer.from(box);
    if (bytes.length < KEY_ID + NONCE + TAG) return null;
    const key = keys.find(({ id }) => id.equals(bytes.subarray(0, KEY_ID)));
    return key ? openWith(key, bytes, place) : null;
  }

  return {
    keyId: newest.id,
    seal: (plain, place) => sealWith(newest, Buffer.from(plain, "utf8"), place),
    open: (box, place) => openBytes(box, place)?.toString("utf8") ?? null,
    sealBytes: (plain, place) => sealWith(newest, plain, place),
    openBytes,
    fingerprint: (value) => hashWith(newest, value),
    fingerprints: (value) => keys.map((key) => hashWith(key, value)),
    isFingerprint(value, hash) {
      const equal = keys.map((key) => {
        const right = hashWith(key, value);
        return right.length === hash.length && timingSafeEqual(right, hash);
      });
      return equal.includes(true);
    },
  };
}

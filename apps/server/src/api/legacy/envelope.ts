import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeOnce } from "../../adapters/storage/write-once.ts";
import { isTooDeep } from "../../kernel/json-depth.ts";

/** Key and IV sizes in bytes. Source: the compatibility layer's contract, Envelope. */
export const LEGACY_CIPHERS = {
  "des-cbc": { keyBytes: 8, ivBytes: 8, blockBytes: 8 },
  "aes-128-cbc": { keyBytes: 16, ivBytes: 16, blockBytes: 16 },
  "aes-256-cbc": { keyBytes: 32, ivBytes: 16, blockBytes: 16 },
} as const;
export type LegacyCipherName = keyof typeof LEGACY_CIPHERS;

/** A cipher with its fixed key and IV, in bytes. */
export interface LegacyCipher {
  name: LegacyCipherName;
  key: Uint8Array;
  iv: Uint8Array;
}

/**
 * Returns the cipher's name and key for Node. OpenSSL no longer has single DES; triple DES with the same key three
 * times is identical byte for byte.
 */
function nodeCipher({ name, key, iv }: LegacyCipher): [name: string, key: Uint8Array, iv: Uint8Array] {
  return name === "des-cbc" ? ["des-ede3-cbc", Buffer.concat([key, key, key]), iv] : [name, key, iv];
}

export function encrypt(cipher: LegacyCipher, plain: string): Buffer {
  const encryptor = createCipheriv(...nodeCipher(cipher));
  return Buffer.concat([encryptor.update(plain, "utf8"), encryptor.final()]);
}

/** Decrypted text, and whether its length and padding were valid. */
interface Decrypted {
  text: string;
  isValid: boolean;
}

/** Returns the text, or null if the data wasn't encrypted with this cipher. */
export function decrypt(cipher: LegacyCipher, data: Uint8Array): string | null {
  const { text, isValid } = decryptAny(cipher, data);
  return isValid ? text : null;
}

/**
 * Decrypts in the same way whatever is wrong with the data, so that neither an exception nor the timing reveals which
 * byte was wrong (no padding oracle). We decrypt without padding and check the padding afterwards; the caller always
 * gets a text to work on. Data of an invalid length is replaced by zeros.
 */
function decryptAny(cipher: LegacyCipher, data: Uint8Array): Decrypted {
  const { blockBytes } = LEGACY_CIPHERS[cipher.name];
  const isWhole = data.length > 0 && data.length % blockBytes === 0;
  const blocks = isWhole ? data : Buffer.alloc(Math.max(blockBytes, data.length - (data.length % blockBytes)));
  const decryptor = createDecipheriv(...nodeCipher(cipher)).setAutoPadding(false);
  const plain = Buffer.concat([decryptor.update(blocks), decryptor.final()]);
  const padding = paddingOf(plain, blockBytes);
  const text = plain.toString("utf8", 0, plain.length - (padding ?? 0));
  return { text, isValid: isWhole && padding !== null };
}

/**
 * Returns the number of PKCS#7 padding bytes, or null if the padding is invalid. Always reads a whole block, for
 * constant time.
 */
function paddingOf(plain: Uint8Array, blockBytes: number): number | null {
  const length = plain[plain.length - 1] ?? 0;
  let invalid = Number(length < 1 || length > blockBytes);
  for (let index = 1; index <= blockBytes; index += 1) {
    const isPadding = Number(index <= length);
    invalid |= isPadding & Number((plain[plain.length - index] ?? 0) !== length);
  }
  return invalid === 0 ? length : null;
}

export type Payload = Readonly<Record<string, unknown>>;

export interface OpenedEnvelope {
  payload: Payload;
  /** The cipher of the request; the answer uses the same. */
  cipher: LegacyCipher;
}

/** Value of `action` in every payload. Source: the product specification, section 7. */
const ACTION = "manage";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decrypts a client's payload, or returns null. Bad base64, length, padding, JSON or action give the same answer and
 * take the same work: we always try every cipher and parse every result.
 */
export function openEnvelope(ciphers: readonly LegacyCipher[], data: string): OpenedEnvelope | null {
  const bytes = Buffer.from(data, "base64");
  const isBase64 = BASE64.test(data);
  let opened: OpenedEnvelope | null = null;
  for (const cipher of ciphers) {
    const payload = payloadOf(decryptAny(cipher, bytes));
    if (isBase64 && payload && !opened) opened = { payload, cipher };
  }
  return opened;
}

function payloadOf({ text, isValid }: Decrypted): Payload | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isValid || typeof value !== "object" || value === null || Array.isArray(value)) return null;
    const { action, ...payload } = value as Record<string, unknown>;
    return action === ACTION ? payload : null;
  } catch {
    return null;
  }
}

/** Returns the body of an answer: `{"data": "<base64>"}`. */
export function sealAnswer(cipher: LegacyCipher, answer: unknown): string {
  return `{"data":"${encrypt(cipher, JSON.stringify(answer)).toString("base64")}"}`;
}

/** The settings of the compatibility layer's envelope. */
interface LegacySettings {
  LEGACY_CIPHER?: string | undefined;
  LEGACY_KEY?: string | undefined;
  LEGACY_IV?: string | undefined;
  LEGACY_STRICT: boolean;
}

const GENERATED = "aes-256-cbc";
const HEX = /^[0-9a-f]*$/i;

/**
 * Returns the ciphers that open envelopes. Several may be set, separated by commas, with keys and IVs in the same
 * order, for two kinds of clients or a change of keys. Unless LEGACY_STRICT is set, the generated key works too.
 * @throws Error that names the invalid setting
 */
export function legacyCiphers(settings: LegacySettings, keyFile: string): LegacyCipher[] {
  const listed = listedCiphers(settings);
  if (listed.length === 0) return [readOrCreateCipher(keyFile)];
  return settings.LEGACY_STRICT ? listed : [...listed, readOrCreateCipher(keyFile)];
}

/** Returns the weak ciphers in use, so that the server can warn about "des-cbc". */
export function weakCiphers(ciphers: readonly LegacyCipher[]): LegacyCipherName[] {
  return ciphers.filter(({ name }) => name === "des-cbc").map(({ name }) => name);
}

const splitList = (value: string | undefined): string[] =>
  value === undefined ? [] : value.split(",").map((p) => p.trim());

function listedCiphers({ LEGACY_CIPHER, LEGACY_KEY, LEGACY_IV }: LegacySettings): LegacyCipher[] {
  const [names, keys, ivs] = [splitList(LEGACY_CIPHER), splitList(LEGACY_KEY), splitList(LEGACY_IV)];
  if (names.length !== keys.length || names.length !== ivs.length) {
    throw new Error("LEGACY_CIPHER, LEGACY_KEY and LEGACY_IV belong together: set all three, each with as many parts");
  }
  return names.map((name, index) => {
    if (!isCipher(name)) throw new Error(`LEGACY_CIPHER: ${name} is none of ${Object.keys(LEGACY_CIPHERS).join(", ")}`);
    const { keyBytes, ivBytes } = LEGACY_CIPHERS[name];
    return { name, key: bytesOf("LEGACY_KEY", keys[index], keyBytes), iv: bytesOf("LEGACY_IV", ivs[index], ivBytes) };
  });
}

const isCipher = (name: string): name is LegacyCipherName => Object.hasOwn(LEGACY_CIPHERS, name);

function bytesOf(setting: string, hex: string | undefined, bytes: number): Buffer {
  if (hex === undefined || hex.length !== bytes * 2 || !HEX.test(hex)) {
    throw new Error(`${setting}: ${bytes * 2} hex digits are needed`);
  }
  return Buffer.from(hex, "hex");
}

/** Returns the generated key and IV; creates the file on the first start. */
function readOrCreateCipher(keyFile: string): LegacyCipher {
  const { keyBytes, ivBytes } = LEGACY_CIPHERS[GENERATED];
  if (!existsSync(keyFile)) {
    const pair = `${randomBytes(keyBytes).toString("hex")} ${randomBytes(ivBytes).toString("hex")}\n`;
    writeOnce(keyFile, pair);
  }
  const [key, iv] = readFileSync(keyFile, "utf8").trim().split(/\s+/);
  try {
    return { name: GENERATED, key: bytesOf("key", key, keyBytes), iv: bytesOf("IV", iv, ivBytes) };
  } catch {
    throw new Error(`${keyFile} is damaged: it must hold a key and an IV in hex. Put the saved one back.`);
  }
}

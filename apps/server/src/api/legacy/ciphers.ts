import { createCipheriv, createDecipheriv } from "node:crypto";

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
export interface Decrypted {
  text: string;
  right: boolean;
}

/** Returns the text, or null if the data wasn't encrypted with this cipher. */
export function decrypt(cipher: LegacyCipher, data: Uint8Array): string | null {
  const { text, right } = decrypted(cipher, data);
  return right ? text : null;
}

/**
 * Decrypts in the same way whatever is wrong with the data, so that neither an exception nor the timing reveals which
 * byte was wrong (no padding oracle). We decrypt without padding and check the padding afterwards; the caller always
 * gets a text to work on. Data of an invalid length is replaced by zeros.
 */
export function decrypted(cipher: LegacyCipher, data: Uint8Array): Decrypted {
  const { blockBytes } = LEGACY_CIPHERS[cipher.name];
  const whole = data.length > 0 && data.length % blockBytes === 0;
  const blocks = whole ? data : Buffer.alloc(Math.max(blockBytes, data.length - (data.length % blockBytes)));
  const decryptor = createDecipheriv(...nodeCipher(cipher)).setAutoPadding(false);
  const plain = Buffer.concat([decryptor.update(blocks), decryptor.final()]);
  const padding = paddingOf(plain, blockBytes);
  const text = plain.toString("utf8", 0, plain.length - (padding ?? 0));
  return { text, right: whole && padding !== null };
}

/**
 * Returns the number of PKCS#7 padding bytes, or null if the padding is invalid. Always reads a whole block, for
 * constant time.
 */
function paddingOf(plain: Uint8Array, blockBytes: number): number | null {
  const length = plain[plain.length - 1] ?? 0;
  let wrong = Number(length < 1 || length > blockBytes);
  for (let index = 1; index <= blockBytes; index += 1) {
    const counts = Number(index <= length);
    wrong |= counts & Number((plain[plain.length - index] ?? 0) !== length);
  }
  return wrong === 0 ? length : null;
}

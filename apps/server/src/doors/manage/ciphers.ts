import { createCipheriv, createDecipheriv } from "node:crypto";

/** Key and IV sizes in bytes. Source: the compatibility layer's contract, Envelope. */
export const LEGACY_CIPHERS = {
  "des-cbc": { keyBytes: 8, ivBytes: 8, blockBytes: 8 },
  "aes-128-cbc": { keyBytes: 16, ivBytes: 16, blockBytes: 16 },
  "aes-256-cbc": { keyBytes: 32, ivBytes: 16, blockBytes: 16 },
} as const;
export type LegacyCipherName = keyof typeof LEGACY_CIPHERS;

/** A cipher with its fixed key and IV, both as bytes. */
export interface LegacyCipher {
  name: LegacyCipherName;
  key: Uint8Array;
  iv: Uint8Array;
}

/** OpenSSL offers no single DES any more; triple DES with one key thrice is the same, byte for byte. */
function nodeCipher({ name, key, iv }: LegacyCipher): [name: string, key: Uint8Array, iv: Uint8Array] {
  return name === "des-cbc" ? ["des-ede3-cbc", Buffer.concat([key, key, key]), iv] : [name, key, iv];
}

export function encrypt(cipher: LegacyCipher, plain: string): Buffer {
  const encryptor = createCipheriv(...nodeCipher(cipher));
  return Buffer.concat([encryptor.update(plain, "utf8"), encryptor.final()]);
}

/** What came out of blocks, and whether this cipher made them. */
export interface Decrypted {
  text: string;
  right: boolean;
}

/** The text, or null for what this cipher didn't make. */
export function decrypt(cipher: LegacyCipher, data: Uint8Array): string | null {
  const { text, right } = decrypted(cipher, data);
  return right ? text : null;
}

/**
 * Every kind of wrong takes the same way: the blocks are decrypted without looking at the padding, which is judged
 * afterwards, so that neither an exception nor its time tells which byte was wrong; there is a text in any case, for the
 * caller to go on with. What has no whole blocks is judged on zeros of the same length.
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

/** PKCS#7: how many bytes are padding, null if they aren't. Looks at a whole block whatever it finds. */
function paddingOf(plain: Uint8Array, blockBytes: number): number | null {
  const length = plain[plain.length - 1] ?? 0;
  let wrong = Number(length < 1 || length > blockBytes);
  for (let index = 1; index <= blockBytes; index += 1) {
    const counts = Number(index <= length);
    wrong |= counts & Number((plain[plain.length - index] ?? 0) !== length);
  }
  return wrong === 0 ? length : null;
}

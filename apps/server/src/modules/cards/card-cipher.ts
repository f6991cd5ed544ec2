import { createCipheriv, createDecipheriv } from "node:crypto";
import { diversifiedKey } from "./diversified-key.ts";

/** How the cards of a hotel are keyed and encrypted, with its keys in clear. Sizes in bytes. */
export type CardKeys =
  /** the old fixed-key format: no per-card secrecy, for locks that know nothing else */
  | { cipher: "des-cbc"; sectorKey: Uint8Array /* 6 */; desKey: Uint8Array /* 8 */; desIv: Uint8Array /* 8 */ }
  | { cipher: "aes"; masterKey: Uint8Array /* 16 */ };

const SYSTEM_ID = "INNKEY";
const MIFARE_KEY_BYTES = 6;

function inputFor(uid: string, use: "sector" | "record"): Buffer {
  return Buffer.concat([Buffer.from(uid, "hex"), Buffer.from(`${SYSTEM_ID}${use[0]}`)]);
}

/** The MIFARE sector key of a card, 6 bytes: with AES another one for every card. */
export function sectorKeyOf(keys: CardKeys, uid: string): Buffer {
  if (keys.cipher === "des-cbc") return Buffer.from(keys.sectorKey);
  return diversifiedKey(keys.masterKey, inputFor(uid, "sector")).subarray(0, MIFARE_KEY_BYTES);
}

function cipherOf(keys: CardKeys, uid: string): { name: string; key: Buffer; iv: Buffer } {
  if (keys.cipher === "des-cbc") {
    // OpenSSL offers no single DES any more; triple DES with one key thrice is the same, byte for byte.
    const key = Buffer.concat([keys.desKey, keys.desKey, keys.desKey]);
    return { name: "des-ede3-cbc", key, iv: Buffer.from(keys.desIv) };
  }
  return { name: "aes-128-cbc", key: diversifiedKey(keys.masterKey, inputFor(uid, "record")), iv: Buffer.alloc(16) };
}

/** The record's 16 bytes as they are written to the card of that UID. */
export function encryptRecord(keys: CardKeys, uid: string, record: Uint8Array): Buffer {
  const { name, key, iv } = cipherOf(keys, uid);
  const cipher = createCipheriv(name, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(record), cipher.final()]);
}

export function decryptRecord(keys: CardKeys, uid: string, data: Uint8Array): Buffer {
  const { name, key, iv } = cipherOf(keys, uid);
  const decipher = createDecipheriv(name, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { ALL_DOORS, type CardRecord } from "@innkey/shared/cards/record";
import { diversifiedKey } from "./diversified-key.ts";

/** Cipher and plain keys of a hotel's cards. Sizes are in bytes. */
export type CardKeys =
  /**
   * old format with fixed keys: anyone who reads one card or one lock can forge every card; for locks that support
   * nothing else
   */
  | { cipher: "des-cbc"; sectorKey: Uint8Array /* 6 */; desKey: Uint8Array /* 8 */; desIv: Uint8Array /* 8 */ }
  /** all other keys are derived from this one, which never leaves the server */
  | { cipher: "aes"; masterKey: Uint8Array /* 16 */ };

const SYSTEM_ID = "INNKEY";
const MIFARE_KEY_BYTES = 6;
const NUMBER_BYTES = 3;

/**
 * Derives the key that opens the sectors of every card of the hotel. It allows reading and overwriting cards but not
 * forging records.
 */
export const siteKeyOf = (masterKey: Uint8Array): Buffer => diversifiedKey(masterKey, Buffer.from("S"));

/**
 * Derives the key that reads and makes the records of one lock or one zone only. @throws Error for all doors: anyone
 * who took such a key from one lock could make cards for every other lock
 */
export function recordKeyOf(masterKey: Uint8Array, opens: CardRecord["opens"]): Buffer {
  if ("zone" in opens && opens.zone === ALL_DOORS) throw new Error("no key makes a record for all doors");
  const [letter, number] = "lock" in opens ? ["L", opens.lock] : ["Z", opens.zone];
  const input = Buffer.alloc(1 + NUMBER_BYTES);
  input.write(letter);
  input.writeUIntBE(number, 1, NUMBER_BYTES);
  return diversifiedKey(masterKey, input);
}

const ISSUE_BYTES = 4;

/**
 * Returns the 16-byte pass on a staff card or master key card. It can't be forged without the master key and differs
 * for each issue of the card.
 */
export function passOf(masterKey: Uint8Array, uid: string, cardId: number): Buffer {
  const issue = Buffer.alloc(ISSUE_BYTES);
  issue.writeUInt32BE(cardId);
  return diversifiedKey(masterKey, Buffer.concat([Buffer.from("P"), Buffer.from(uid, "hex"), issue]));
}

/** Returns the fingerprint of a pass, which is all that a lock stores: enough to recognise the pass, not to make it. */
export const passFingerprint = (uid: string, pass: Uint8Array): Buffer =>
  createHash("sha256").update(Buffer.from(uid, "hex")).update(pass).digest();

/** Diversifies a key for one card. */
const cardSecret = (key: Uint8Array, uid: string, use: "s" | "r"): Buffer =>
  diversifiedKey(key, Buffer.concat([Buffer.from(uid, "hex"), Buffer.from(SYSTEM_ID + use)]));

/** Returns the MIFARE key of a card's sectors, 6 bytes. With AES it differs for every card. */
export function sectorKeyOf(keys: CardKeys, uid: string): Buffer {
  if (keys.cipher === "des-cbc") return Buffer.from(keys.sectorKey);
  return cardSecret(siteKeyOf(keys.masterKey), uid, "s").subarray(0, MIFARE_KEY_BYTES);
}

function cipherOf(keys: CardKeys, uid: string, opens: CardRecord["opens"]): { name: string; key: Buffer; iv: Buffer } {
  if (keys.cipher === "des-cbc") {
    // OpenSSL no longer offers single DES. Triple DES with the same key three times gives identical bytes.
    const key = Buffer.concat([keys.desKey, keys.desKey, keys.desKey]);
    return { name: "des-ede3-cbc", key, iv: Buffer.from(keys.desIv) };
  }
  return { name: "aes-128-cbc", key: cardSecret(recordKeyOf(keys.masterKey, opens), uid, "r"), iv: Buffer.alloc(16) };
}

/** Encrypts a record (16 bytes) for that lock or zone, as it is written to the card with that UID. */
export function encryptRecord(keys: CardKeys, uid: string, opens: CardRecord["opens"], record: Uint8Array): Buffer {
  const { name, key, iv } = cipherOf(keys, uid, opens);
  const cipher = createCipheriv(name, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(record), cipher.final()]);
}

export function decryptRecord(keys: CardKeys, uid: string, opens: CardRecord["opens"], data: Uint8Array): Buffer {
  const { name, key, iv } = cipherOf(keys, uid, opens);
  const decipher = createDecipheriv(name, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { ALL_DOORS, type CardRecord } from "@innkey/shared/cards/record";
import { diversifiedKey } from "./diversified-key.ts";

/** How the cards of a hotel are keyed and encrypted, with its keys in clear. Sizes in bytes. */
export type CardKeys =
  /** the old fixed-key format: whoever reads one card or one lock makes any, for locks that know nothing else */
  | { cipher: "des-cbc"; sectorKey: Uint8Array /* 6 */; desKey: Uint8Array /* 8 */; desIv: Uint8Array /* 8 */ }
  /** all other keys come from this one, which no lock and no browser is ever given */
  | { cipher: "aes"; masterKey: Uint8Array /* 16 */ };

const SYSTEM_ID = "INNKEY";
const MIFARE_KEY_BYTES = 6;
const NUMBER_BYTES = 3;

/** Opens the sectors of every card of the house: with it cards are read and overwritten, never forged. */
export const siteKeyOf = (masterKey: Uint8Array): Buffer => diversifiedKey(masterKey, Buffer.from("S"));

/**
 * Reads and makes the records of one lock, or of one zone, and of nothing else. @throws Error for all doors: whoever took
 * one lock apart could make cards for every other one with such a key
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

/** What a management or universal card carries: 16 bytes that nobody else can make, others for each issue of the card. */
export function passOf(masterKey: Uint8Array, uid: string, cardId: number): Buffer {
  const issue = Buffer.alloc(ISSUE_BYTES);
  issue.writeUInt32BE(cardId);
  return diversifiedKey(masterKey, Buffer.concat([Buffer.from("P"), Buffer.from(uid, "hex"), issue]));
}

/** All that a lock knows of a pass: enough to recognise it, not to make it. */
export const passFingerprint = (uid: string, pass: Uint8Array): Buffer =>
  createHash("sha256").update(Buffer.from(uid, "hex")).update(pass).digest();

/** The same key for one card alone. */
const ofCard = (key: Uint8Array, uid: string, use: "s" | "r"): Buffer =>
  diversifiedKey(key, Buffer.concat([Buffer.from(uid, "hex"), Buffer.from(SYSTEM_ID + use)]));

/** The MIFARE key of a card's sectors, 6 bytes: with AES another one for every card. */
export function sectorKeyOf(keys: CardKeys, uid: string): Buffer {
  if (keys.cipher === "des-cbc") return Buffer.from(keys.sectorKey);
  return ofCard(siteKeyOf(keys.masterKey), uid, "s").subarray(0, MIFARE_KEY_BYTES);
}

function cipherOf(keys: CardKeys, uid: string, opens: CardRecord["opens"]): { name: string; key: Buffer; iv: Buffer } {
  if (keys.cipher === "des-cbc") {
    // OpenSSL offers no single DES any more; triple DES with one key thrice is the same, byte for byte.
    const key = Buffer.concat([keys.desKey, keys.desKey, keys.desKey]);
    return { name: "des-ede3-cbc", key, iv: Buffer.from(keys.desIv) };
  }
  return { name: "aes-128-cbc", key: ofCard(recordKeyOf(keys.masterKey, opens), uid, "r"), iv: Buffer.alloc(16) };
}

/** The 16 bytes of a record for that lock or zone, as they are written to the card of that UID. */
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

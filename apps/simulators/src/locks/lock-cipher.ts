// The lock's side of the ciphers, written from docs/integrators/lock-protocol.md (NXP AN10922, RFC 4493) without sharing
// any of the console's code, so that the two implementations check each other.
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import type { LockArgs, SealedConfigure } from "@innkey/shared/locks/protocol";

export type Keys = LockArgs["configure"]["keys"][number];

const fromHex = (hex: string): Buffer => Buffer.from(hex, "hex");

function aesBlock(key: Buffer, block: bigint): bigint {
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  const input = fromHex(block.toString(16).padStart(32, "0"));
  return toBigInt(Buffer.concat([cipher.update(input), cipher.final()]));
}

const toBigInt = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);
const HIGHEST_BIT = 1n << 127n;
const ALL_BITS = (1n << 128n) - 1n;

/** Multiplies by x in GF(2^128). */
const timesX = (value: bigint): bigint => ((value << 1n) & ALL_BITS) ^ ((value & HIGHEST_BIT) === 0n ? 0n : 0x87n);

/**
 * Computes the AES-128-CMAC of a message padded to `blocks` blocks of 16 bytes. AN10922 requires two blocks even where one
 * is enough.
 */
export function cmac(key: Buffer, message: Buffer, blocks: number): Buffer {
  const subkey = timesX(aesBlock(key, 0n));
  const isWhole = message.length === blocks * 16;
  const padded = Buffer.alloc(blocks * 16);
  message.copy(padded);
  if (!isWhole) padded[message.length] = 0x80;
  let state = 0n;
  for (let at = 0; at < blocks; at += 1) {
    const last = at === blocks - 1;
    const mask = last ? (isWhole ? subkey : timesX(subkey)) : 0n;
    state = aesBlock(key, state ^ toBigInt(padded.subarray(at * 16, at * 16 + 16)) ^ mask);
  }
  return fromHex(state.toString(16).padStart(32, "0"));
}

/** Derives a key as AN10922 describes. */
export const deriveKey = (key: Buffer, input: Buffer): Buffer => cmac(key, Buffer.concat([fromHex("01"), input]), 2);

/**
 * Derives the key of one card for one use; the last byte of the input is "s" for the sector key and "r" for a record.
 */
const cardKey = (key: string, uid: string, use: "s" | "r"): Buffer =>
  deriveKey(fromHex(key), Buffer.concat([fromHex(uid), Buffer.from(`INNKEY${use}`)]));

/** Returns the key that opens the card's sectors, as 12 hex digits. */
export function sectorKey(keys: Keys, uid: string): string {
  if (keys.cipher === "des-cbc") return keys.sectorKey;
  return cardKey(keys.siteKey, uid, "s").toString("hex", 0, 6).toUpperCase();
}

/** Returns the hash of a card's pass as stored in the lock's list, as 64 hex digits. */
export const passFingerprint = (uid: string, data: Uint8Array): string =>
  createHash("sha256").update(fromHex(uid)).update(data).digest("hex").toUpperCase();

/** Decrypts the 16 bytes of a record with the key of the lock or of a zone. The result is not validated. */
export function decryptAes(recordKey: string, uid: string, data: Uint8Array): Buffer {
  const decipher = createDecipheriv("aes-128-ecb", cardKey(recordKey, uid, "r"), null).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

export function decryptDes({ desKey, desIv }: Extract<Keys, { cipher: "des-cbc" }>, data: Uint8Array): Buffer {
  // OpenSSL no longer offers single DES; triple DES with the same key three times is equivalent.
  const decipher = createDecipheriv("des-ede3-cbc", fromHex(desKey.repeat(3)), fromHex(desIv)).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

/**
 * Decrypts the arguments of `configure` with the pairing secret. Returns null if they were sealed for another lock,
 * command or counter.
 */
export function openConfigure(secret: string, commandId: string, { counter, nonce, box }: SealedConfigure): unknown {
  const sealed = fromHex(box);
  const tagAt = sealed.length - 16;
  const decipher = createDecipheriv("aes-128-gcm", fromHex(secret), fromHex(nonce));
  decipher.setAAD(Buffer.from(`${commandId}/${counter}`)).setAuthTag(sealed.subarray(tagAt));
  try {
    return JSON.parse(decipher.update(sealed.subarray(0, tagAt), undefined, "utf8") + decipher.final("utf8"));
  } catch {
    return null;
  }
}

/** Number of unused codes ahead that a lock accepts; the console has no more than that outstanding at a time. */
export const LOOK_AHEAD = 20;

/** Returns the 6-digit code of a counter (RFC 4226, HMAC-SHA-1); `secret` is hex. */
export function oneTimeCode(secret: string, counter: number): string {
  const counterBytes = Buffer.alloc(8);
  counterBytes.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", Buffer.from(secret, "hex")).update(counterBytes).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const digits = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return digits.toString().padStart(6, "0");
}

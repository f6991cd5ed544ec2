import { createCipheriv, createDecipheriv } from "node:crypto";
import type { LockArgs } from "@innkey/shared/locks/protocol";

/**
 * A lock's side of the cards' ciphers, written from the description (domain rules, Cards; NXP AN10922; RFC 4493) and from
 * nothing of the console's: where both open the same cards, both are right.
 */
export type Keys = LockArgs["configure"]["keys"][number];

const fromHex = (hex: string): Buffer => Buffer.from(hex, "hex");

function aesBlock(key: Buffer, block: bigint): bigint {
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  const input = fromHex(block.toString(16).padStart(32, "0"));
  return number(Buffer.concat([cipher.update(input), cipher.final()]));
}

const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`);
const TOP = 1n << 127n;
const ALL = (1n << 128n) - 1n;

/** Times x in GF(2^128). */
const timesX = (value: bigint): bigint => ((value << 1n) & ALL) ^ ((value & TOP) === 0n ? 0n : 0x87n);

/** AES-128-CMAC of a message that is padded to `blocks` blocks of 16 bytes; AN10922 asks for two also where one would do. */
export function cmac(key: Buffer, message: Buffer, blocks: number): Buffer {
  const subkey = timesX(aesBlock(key, 0n));
  const whole = message.length === blocks * 16;
  const padded = Buffer.alloc(blocks * 16);
  message.copy(padded);
  if (!whole) padded[message.length] = 0x80;
  let state = 0n;
  for (let at = 0; at < blocks; at += 1) {
    const last = at === blocks - 1;
    const mask = last ? (whole ? subkey : timesX(subkey)) : 0n;
    state = aesBlock(key, state ^ number(padded.subarray(at * 16, at * 16 + 16)) ^ mask);
  }
  return fromHex(state.toString(16).padStart(32, "0"));
}

/** AN10922: the key of one card for one use. The use is told apart by the last byte: s, the sector's key; r, the record's. */
function cardKey(masterKey: string, uid: string, use: "s" | "r"): Buffer {
  return cmac(fromHex(masterKey), Buffer.concat([fromHex("01"), fromHex(uid), Buffer.from(`INNKEY${use}`)]), 2);
}

/** What opens the record's sector on that card: 12 hex digits. */
export function sectorKey(keys: Keys, uid: string): string {
  if (keys.cipher === "des-cbc") return keys.sectorKey;
  return cardKey(keys.masterKey, uid, "s").toString("hex", 0, 6).toUpperCase();
}

/** The record's 16 bytes in clear, whatever they are worth. */
export function openRecord(keys: Keys, uid: string, data: Uint8Array): Buffer {
  // Single DES has gone from OpenSSL; three times the same key is the same cipher.
  const decipher =
    keys.cipher === "des-cbc"
      ? createDecipheriv("des-ede3-cbc", fromHex(keys.desKey.repeat(3)), fromHex(keys.desIv))
      : createDecipheriv("aes-128-cbc", cardKey(keys.masterKey, uid, "r"), Buffer.alloc(16));
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

import { createCipheriv } from "node:crypto";

const BLOCK = 16;
const ZERO_IV = Buffer.alloc(BLOCK);

function encryptBlocks(key: Uint8Array, blocks: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-128-cbc", key, ZERO_IV).setAutoPadding(false);
  return Buffer.concat([cipher.update(blocks), cipher.final()]);
}

/** Doubles a block in GF(2^128), as CMAC derives its subkeys. */
function doubled(block: Uint8Array): Buffer {
  const out = Buffer.alloc(BLOCK);
  let carry = 0;
  for (let n = BLOCK - 1; n >= 0; n -= 1) {
    const shifted = ((block[n] ?? 0) << 1) | carry;
    out[n] = shifted & 0xff;
    carry = shifted >> 8;
  }
  if (carry) out[BLOCK - 1] = (out[BLOCK - 1] ?? 0) ^ 0x87;
  return out;
}

/**
 * Computes AES-128-CMAC (RFC 4493). `padTo` (bytes) pads short messages to more than one block, as AN10922 requires.
 */
export function aesCmac(key: Uint8Array, message: Uint8Array, padTo = BLOCK): Buffer {
  const first = doubled(encryptBlocks(key, ZERO_IV));
  const length = Math.max(padTo, Math.ceil(message.length / BLOCK) * BLOCK);
  const padded = Buffer.alloc(length);
  padded.set(message);
  const complete = message.length === length;
  if (!complete) padded[message.length] = 0x80;
  const subkey = complete ? first : doubled(first);
  for (let n = 0; n < BLOCK; n += 1) {
    const at = length - BLOCK + n;
    padded[at] = (padded[at] ?? 0) ^ (subkey[n] ?? 0);
  }
  return encryptBlocks(key, padded).subarray(length - BLOCK);
}

const AES_128_CONSTANT = 0x01;
const MAX_INPUT = 31;

/**
 * Derives a key for one card (NXP AN10922, AES-128): CMAC of 01 ‖ input, padded to 32 bytes. `input` (1 to 31 bytes)
 * identifies the card and the key's purpose. @throws RangeError for an input of another length
 */
export function diversifiedKey(masterKey: Uint8Array, input: Uint8Array): Buffer {
  if (input.length === 0 || input.length > MAX_INPUT) throw new RangeError("diversification input is 1 to 31 bytes");
  return aesCmac(masterKey, Buffer.concat([Buffer.from([AES_128_CONSTANT]), input]), 2 * BLOCK);
}

import { createHmac } from "node:crypto";

const DIGITS = 6;

/**
 * Computes a one-time code as the lock does: HMAC-SHA-1 over the counter, dynamically truncated to 6 digits. Source:
 * RFC 4226, section 5.3.
 */
export function hotp(secret: Uint8Array, counter: bigint): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(counter);
  const hash = createHmac("sha1", secret).update(message).digest();
  const offset = (hash.at(-1) ?? 0) & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

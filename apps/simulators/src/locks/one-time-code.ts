import { createHmac } from "node:crypto";

/** Number of unused codes ahead that a lock accepts; the console has no more than that outstanding at a time. */
export const LOOK_AHEAD = 20;

/** Returns the 6-digit code of a counter (RFC 4226, HMAC-SHA-1); `secret` is hex. */
export function oneTimeCode(secret: string, counter: number): string {
  const moving = Buffer.alloc(8);
  moving.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", Buffer.from(secret, "hex")).update(moving).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const digits = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return digits.toString().padStart(6, "0");
}

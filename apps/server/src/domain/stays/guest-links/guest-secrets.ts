import { createHash, randomBytes } from "node:crypto";

/** Long enough that nobody finds one by guessing, and short enough for a QR code that old phones read. */
const LINK_BYTES = 16;
const DEVICE_BYTES = 32;
const LINK_TOKEN = /^[\w-]{22}$/;
const DEVICE_TOKEN = /^[\w-]{43}$/;

const hashOf = (text: string): Buffer<ArrayBuffer> => createHash("sha256").update(text).digest();

/** Returns the secret of a new link, 128 random bits. */
export const newLinkToken = (): string => randomBytes(LINK_BYTES).toString("base64url");
/** Returns the secret that recognises a browser, 256 random bits. */
export const newDeviceToken = (): string => randomBytes(DEVICE_BYTES).toString("base64url");

/** Returns the hash by which a link is stored; also for a text that can't be one, so that it is searched like any other. */
export const linkHash = (token: string): Buffer<ArrayBuffer> =>
  hashOf(LINK_TOKEN.test(token) ? `guest link:${token}` : "");
/** Returns null for a text that can't be the secret of a browser. */
export const deviceHash = (token: string | undefined): Buffer<ArrayBuffer> | null =>
  token !== undefined && DEVICE_TOKEN.test(token) ? hashOf(`guest device:${token}`) : null;

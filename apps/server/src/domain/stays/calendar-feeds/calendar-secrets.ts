import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Returns the secret of a new calendar, 256 random bits. */
export const newCalendarToken = (): string => randomBytes(BYTES).toString("base64url");

/** Returns the hash by which a calendar is stored; also for a text that can't be one, so that it takes the same search. */
export const calendarHash = (token: string): Buffer<ArrayBuffer> =>
  createHash("sha256")
    .update(TOKEN.test(token) ? `calendar:${token}` : "")
    .digest();

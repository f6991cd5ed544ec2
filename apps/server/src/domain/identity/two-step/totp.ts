import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** Accepts a clock that is off by one step, and a code that was typed slowly (RFC 6238, section 5.2). */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = "Innkey";

const totpOf = (secret: string, label = ""): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** Returns 160 random bits in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the content of the QR code for an app; the app lists the entry under `account`. */
export const totpUri = (secret: string, account: string): string => totpOf(secret, account).toString();

/** Returns the 30-second step of the code, at most one step from the current one; null if the code fits none. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

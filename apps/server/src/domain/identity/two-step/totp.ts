import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** A clock that is off by one step is forgiven, and so is a code that was typed slowly (RFC 6238, section 5.2). */
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

/** 160 random bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What a QR code tells an app; `account` is what the app lists it under. */
export const totpUri = (secret: string, account: string): string => totpOf(secret, account).toString();

/** The 30-second step whose code this is, one earlier or later than now at most; null if it is none of them. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

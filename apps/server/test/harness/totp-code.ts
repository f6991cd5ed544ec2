import { Secret, TOTP } from "otpauth";

/** The code that an app would show at that time. */
export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

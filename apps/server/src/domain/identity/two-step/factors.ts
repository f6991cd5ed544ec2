import type { SecondFactorMethod } from "@innkey/shared/schemas/identity/two-step";
import { Secret, TOTP } from "otpauth";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";

/** Site at which a browser opens the console; passkeys are bound to it. */
export interface Site {
  /** Such as `https://desk.example:8443`. */
  origin: string;
  /** Id of the WebAuthn relying party: the host without the port. */
  rpId: string;
}

/**
 * Returns the site of an origin; null where browsers offer no passkeys: without https (except on localhost) and at a
 * bare IP address (WebAuthn, "Relying Party Identifier").
 */
export function siteAt(origin: string): Site | null {
  if (!URL.canParse(origin)) return null;
  const url = new URL(origin);
  const { hostname, protocol } = url;
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !(protocol === "http:" && local)) return null;
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname)) return null;
  return { origin: url.origin, rpId: hostname };
}

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

export interface Passkey {
  id: string;
  credentialId: Buffer<ArrayBuffer>;
  publicKey: Buffer<ArrayBuffer>;
  counter: number;
  transports: string[];
  userHandle: Buffer<ArrayBuffer>;
  rpId: string;
  name: string;
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Second factors of an operator. */
export interface Factors {
  totp: { secretBox: Buffer; confirmedAt: Date } | null;
  passkeys: Passkey[];
  recoveryCodesLeft: number;
}

/**
 * SQL that restricts a write to the accounts' tables to members of the transaction's hotel: operator `$2` works there.
 */
export const MEMBER = "EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $2::int)";

const PASSKEY = `id, credential_id AS "credentialId", public_key AS "publicKey", counter::float8 AS counter, coalesce(transports, '{}') AS transports,
  user_handle AS "userHandle", rp_id AS "rpId", name, backed_up AS "backedUp", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

/** Context in which the secret of an authenticator app is sealed; a person has one app for all hotels. */
export const totpContext = (operatorId: number): SealContext => ({
  column: "operator_totp.secret_box",
  hotelId: null,
  row: operatorId,
});

export async function factorsOf({ pool }: Pick<Database, "pool">, operatorId: number): Promise<Factors> {
  const [totp, passkeys, codes] = await Promise.all([
    pool.query<NonNullable<Factors["totp"]>>(
      `SELECT secret_box AS "secretBox", confirmed_at AS "confirmedAt" FROM operator_totp WHERE operator_id = $1`,
      [operatorId],
    ),
    pool.query<Passkey>(`SELECT ${PASSKEY} FROM operator_passkey WHERE operator_id = $1 ORDER BY created_at, id`, [
      operatorId,
    ]),
    pool.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM second_factor_code WHERE operator_id = $1 AND used_at IS NULL`,
      [operatorId],
    ),
  ]);
  return { totp: totp.rows[0] ?? null, passkeys: passkeys.rows, recoveryCodesLeft: codes.rows[0]?.left ?? 0 };
}

/** Finds a passkey and its operator by the credential's id. */
export async function passkeyBy(
  { pool }: Pick<Database, "pool">,
  credentialId: Uint8Array,
): Promise<(Passkey & { operatorId: number }) | null> {
  const { rows } = await pool.query<Passkey & { operatorId: number }>(
    `SELECT operator_id AS "operatorId", ${PASSKEY} FROM operator_passkey WHERE credential_id = $1`,
    [credentialId],
  );
  return rows[0] ?? null;
}

export const hasSecondFactor = ({ totp, passkeys }: Factors): boolean => totp !== null || passkeys.length > 0;

/** Returns the passkeys that work on the browser's site. */
export const passkeysAt = ({ passkeys }: Factors, site: Site | null): Passkey[] =>
  passkeys.filter(({ rpId }) => rpId === site?.rpId);

/** Checks whether the id that a browser sent is this credential's. */
export const isOf = (credentialId: Uint8Array, id: string): boolean =>
  Buffer.from(credentialId).toString("base64url") === id;

/** Returns the second factors that can be used on this site. */
export function methodsOf(factors: Factors, site: Site | null): SecondFactorMethod[] {
  const offered: Record<SecondFactorMethod, boolean> = {
    totp: factors.totp !== null,
    passkey: passkeysAt(factors, site).length > 0,
    recovery_code: factors.recoveryCodesLeft > 0,
  };
  return (Object.keys(offered) as SecondFactorMethod[]).filter((method) => offered[method]);
}

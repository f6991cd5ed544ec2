import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from "@innkey/shared/schemas/identity/two-step";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Passkey, Site } from "./factors.ts";

const TIMEOUT_MS = 5 * 60_000;
const RP_NAME = "Innkey";
/** EdDSA, ES256 and RS256 by their numbers in COSE. Every authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257];

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const bytesOf = (base64url: string): Buffer<ArrayBuffer> => Buffer.from(base64url, "base64url");
const descriptorOf = ({ credentialId, transports }: Pick<Passkey, "credentialId" | "transports">) => ({
  id: text(credentialId),
  type: "public-key" as const,
  ...(transports.length > 0 && { transports }),
});

/**
 * Asks for one of `passkeys`, or with null for any that the browser has. Always requires the person's PIN, finger or
 * face.
 */
export function passkeyRequestOf(site: Site, nonce: Uint8Array, passkeys: readonly Passkey[] | null): PasskeyRequest {
  return {
    challenge: text(nonce),
    rpId: site.rpId,
    timeout: TIMEOUT_MS,
    ...(passkeys && { allowCredentials: passkeys.map(descriptorOf) }),
    userVerification: "required",
  };
}

/** Asks for a new passkey that can be found without typing an account and that verifies its person. */
export function passkeyCreationOf(
  site: Site,
  nonce: Uint8Array,
  user: { handle: Uint8Array; account: string; name: string },
  passkeys: readonly Passkey[],
): PasskeyCreation {
  return {
    challenge: text(nonce),
    rp: { id: site.rpId, name: RP_NAME },
    user: { id: text(user.handle), name: user.account, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
  };
}

/** Result of an assertion: the authenticator's new signature count, and whether the passkey is backed up. */
export interface Signed {
  counter: number;
  backedUp: boolean;
}

/**
 * Checks that the passkey signed this nonce for this site and verified its person, and that its signature count
 * increased, if its authenticator counts. Returns null otherwise, since bad input from a stranger is no error of ours.
 */
export async function verifyAssertion(
  passkey: Passkey,
  site: Site,
  nonce: Uint8Array,
  assertion: PasskeyAssertion,
): Promise<Signed | null> {
  const { userHandle } = assertion.response;
  if (passkey.rpId !== site.rpId || assertion.id !== text(passkey.credentialId)) return null;
  if (userHandle !== undefined && userHandle !== text(passkey.userHandle)) return null;
  try {
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, response: withoutUndefined(assertion.response), clientExtensionResults: {} },
      expectedChallenge: text(nonce),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id: text(passkey.credentialId), publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    });
    if (!verified) return null;
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return null;
  }
}

export type NewPasskey = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports" | "backedUp">;

/** Returns the passkey that was created for this nonce on this site; null if the attestation is invalid. */
export async function verifyAttestation(
  site: Site,
  nonce: Uint8Array,
  attestation: PasskeyAttestation,
): Promise<NewPasskey | null> {
  try {
    const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, response: withoutUndefined(attestation.response), clientExtensionResults: {} },
      expectedChallenge: text(nonce),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    const transports = attestation.response.transports ?? [];
    const { publicKey, counter } = credential;
    return {
      credentialId: bytesOf(credential.id),
      publicKey: Buffer.from(publicKey),
      counter,
      transports,
      backedUp: credentialBackedUp,
    };
  } catch {
    return null;
  }
}

/** Leaves out optional fields that are undefined, because the library's types distinguish the two. */
function withoutUndefined<T extends object>(input: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Records a use. Returns false if the passkey was removed, or if its count isn't higher than the stored one;
 * authenticators that don't count always report 0.
 */
export async function recordUse(
  tx: Transaction,
  id: string,
  { counter, backedUp }: Signed,
  now: Date,
): Promise<boolean> {
  const rows = await tx.sql.rows(
    `UPDATE operator_passkey p SET counter = $3::bigint, backed_up = $4::boolean, last_used_at = $5
      WHERE p.id = $2::uuid AND (p.counter < $3::bigint OR (p.counter = 0 AND $3::bigint = 0))
        AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = p.operator_id) RETURNING p.id::text`,
    id,
    counter,
    backedUp,
    now,
  );
  return rows.length === 1;
}

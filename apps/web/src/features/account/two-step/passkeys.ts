import type { Me } from "@innkey/shared/schemas/identity/auth";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
  secondFactorInput,
} from "@innkey/shared/schemas/identity/two-step";
import type { z } from "zod";
import { api, reportingFailure } from "@/lib/api.ts";
import { loadOrReload } from "@/lib/loading/missing-part.ts";

/** Errors that mean the person closed the browser's dialog; we don't treat them as failures. */
const CANCELLED = new Set(["NotAllowedError", "AbortError"]);
const isCancelled = (error: unknown): boolean => error instanceof Error && CANCELLED.has(error.name);

async function nullIfCancelled<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isCancelled(error)) return null;
    throw error;
  }
}

/**
 * Asks the browser to sign with a passkey. Returns null if the person cancels. Loads the WebAuthn library on demand.
 */
export async function signWithPasskey(optionsJSON: PasskeyRequest): Promise<PasskeyAssertion | null> {
  const { startAuthentication } = await loadOrReload(import("@simplewebauthn/browser"));
  return nullIfCancelled(startAuthentication({ optionsJSON }));
}

/** Has the browser create a passkey. Returns null if the person cancels. */
export async function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyAttestation | null> {
  const { startRegistration } = await loadOrReload(import("@simplewebauthn/browser"));
  return nullIfCancelled(startRegistration({ optionsJSON }));
}

export type Proof = z.input<typeof secondFactorInput>["proof"];

/** Completes a login with a second factor, after the password was accepted. */
export const endLogin = (challenge: string, proof: Proof): Promise<Me> =>
  reportingFailure(api.auth.secondFactor.mutate({ challenge, proof }));

/** Logs in with a passkey alone. Returns null if the person cancels. */
export async function logInWithPasskey(): Promise<Me | null> {
  const { challenge, passkey } = await reportingFailure(api.auth.passkeyChallenge.mutate());
  const assertion = await signWithPasskey(passkey);
  return assertion && reportingFailure(api.auth.passkeyLogin.mutate({ challenge, assertion }));
}

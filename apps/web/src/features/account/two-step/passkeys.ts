import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from "@innkey/shared/schemas/two-step";
import { needed } from "@/lib/loading/missing-part.ts";

/** Somebody who closes the browser's box has not failed at anything. */
const CANCELLED = new Set(["NotAllowedError", "AbortError"]);
const isCancelled = (error: unknown): boolean => error instanceof Error && CANCELLED.has(error.name);

async function orNull<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isCancelled(error)) return null;
    throw error;
  }
}

/** Asks the browser for one of the passkeys; null if the person changed their mind. Loads what it needs then. */
export async function signWithPasskey(optionsJSON: PasskeyRequest): Promise<PasskeyAssertion | null> {
  const { startAuthentication } = await needed(import("@simplewebauthn/browser"));
  return orNull(startAuthentication({ optionsJSON }));
}

/** Has the browser make a passkey; null if the person changed their mind. */
export async function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyAttestation | null> {
  const { startRegistration } = await needed(import("@simplewebauthn/browser"));
  return orNull(startRegistration({ optionsJSON }));
}

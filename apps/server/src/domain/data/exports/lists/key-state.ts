import type { CredentialRow } from "@innkey/shared/schemas/locks";
import type { Reader } from "../columns.ts";

type State = CredentialRow["state"];

/** States in the order of urgency, as on the screens. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** Returns the most urgent state of a key that is at several doors; null for a key that is at none. */
export function keyState(credentials: readonly CredentialRow[], { t }: Pick<Reader, "t">): string | null {
  const state = ATTENTION.find((state) => credentials.some((credential) => credential.state === state));
  return state ? t(`locks.credential.${state}`) : null;
}

/** Returns the distinct rooms at whose doors a key is. */
export const keyRooms = (credentials: readonly CredentialRow[]): string =>
  [...new Set(credentials.flatMap(({ roomName }) => roomName ?? []))].join(", ");

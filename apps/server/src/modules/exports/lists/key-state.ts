import type { CredentialRow } from "@innkey/shared/schemas/locks";
import type { Reader } from "../columns.ts";

type State = CredentialRow["state"];

/** What wants the desk's eye most comes first, as on the screens. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** The door that has the most to say of a key that is at several; null for a key that is at none. */
export function keyState(credentials: readonly CredentialRow[], { t }: Pick<Reader, "t">): string | null {
  const state = ATTENTION.find((wanted) => credentials.some((credential) => credential.state === wanted));
  return state ? t(`locks.credential.${state}`) : null;
}

/** The rooms at whose doors a key is, each once. */
export const keyRooms = (credentials: readonly CredentialRow[]): string =>
  [...new Set(credentials.flatMap(({ roomName }) => roomName ?? []))].join(", ");

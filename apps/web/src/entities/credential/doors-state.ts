import type { CredentialRow } from "@innkey/shared/schemas/locks";

type State = CredentialRow["state"];

/** What wants the desk's eye most comes first. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** The door that speaks for a key that is at several: the one with the most to say. */
export function foremost(credentials: readonly CredentialRow[]): CredentialRow | undefined {
  return credentials.toSorted((a, b) => ATTENTION.indexOf(a.state) - ATTENTION.indexOf(b.state))[0];
}

const UNDER_WAY: readonly State[] = ["queued", "sent", "revoking"];

/** Whether a lock has yet to answer. */
export function isUnderWay({ state }: Pick<CredentialRow, "state">): boolean {
  return UNDER_WAY.includes(state);
}

/** Whether the lock has it. */
export function isReady({ state }: Pick<CredentialRow, "state">): boolean {
  return state === "confirmed" || state === "used";
}

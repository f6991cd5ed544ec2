import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";

/** Seal context of the secret from which a lock computes its one-time codes. */
export const lockSecretContext = ({ hotelId }: Scope, row: number): SealContext => ({
  column: "lock.secret_box",
  hotelId,
  row,
});

/** Returns a lock's secret. @throws Error if no key opens it */
export function openLockSecret(scope: Scope, lockId: number, box: Uint8Array): string {
  const secret = scope.secrets.lock.open(box, lockSecretContext(scope, lockId));
  if (secret === null) throw new Error("the lock's secret was sealed with another secret key, or for another lock");
  return secret;
}

import type { Scope } from "../../core/scope.ts";
import type { SealContext } from "../../core/secret-box.ts";

/** Where the secret is sealed for that a lock computes its one-time codes from. */
export const lockSecretContext = ({ hotelId }: Scope, row: number): SealContext => ({
  column: "lock.secret_box",
  hotelId,
  row,
});

/** @throws Error where no key opens it */
export function openLockSecret(scope: Scope, lockId: number, box: Uint8Array): string {
  const secret = scope.secrets.lock.open(box, lockSecretContext(scope, lockId));
  if (secret === null) throw new Error("the lock's secret was sealed with another secret key, or for another lock");
  return secret;
}

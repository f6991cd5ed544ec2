import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { type LockArgs, lockArgs, type SealedConfigure } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";

/** A lock's keys are sealed with the secret that was entered at the lock, whichever connection transports them. */

const SECRET_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-128-gcm";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex").toUpperCase();
/**
 * Binds the sealed keys to one command and counter, so that they can't be replaced with those of another or an older
 * command.
 */
const boundTo = (commandId: string, counter: number): Buffer => Buffer.from(`${commandId}/${counter}`, "ascii");

/** Seal context of a lock's pairing secret. */
export const pairingContext = (hotelId: number, row: number): SealContext => ({
  column: "lock.pairing_box",
  hotelId,
  row,
});

export const newPairingSecret = (): string => hex(randomBytes(SECRET_BYTES));

export function sealConfigure(
  pairingSecret: string,
  commandId: string,
  counter: number,
  args: LockArgs["configure"],
): SealedConfigure {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes(pairingSecret), nonce).setAAD(boundTo(commandId, counter));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(args), "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { counter, nonce: hex(nonce), box: hex(sealed) };
}

/** Opens sealed keys with a lock's secret. @throws Error for any other secret, command or counter */
export function openConfigure(
  pairingSecret: string,
  commandId: string,
  sealed: SealedConfigure,
): LockArgs["configure"] {
  const { counter, nonce, box } = sealed;
  const body = bytes(box);
  const decipher = createDecipheriv(CIPHER, bytes(pairingSecret), bytes(nonce), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(commandId, counter)).setAuthTag(body.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]);
  return lockArgs.configure.parse(JSON.parse(plain.toString("utf8")));
}

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

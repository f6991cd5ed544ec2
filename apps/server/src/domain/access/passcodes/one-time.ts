import { createHmac } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { codeHashes, isCodeUsed, type LockOfRoom } from "../credentials/credentials.ts";
import { openLockSecret } from "../locks/lock-secret.ts";

const DIGITS = 6;

/**
 * Computes a one-time code as the lock does: HMAC-SHA-1 over the counter, dynamically truncated to 6 digits. Source:
 * RFC 4226, section 5.3.
 */
export function hotp(secret: Uint8Array, counter: bigint): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(counter);
  const hash = createHmac("sha1", secret).update(message).digest();
  const offset = (hash.at(-1) ?? 0) & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * Number of codes beyond the last used one that a lock accepts (source: protocol of the locks, docs/integrators/locks.md). At most
 * this many unused codes may be issued at a time. Using one invalidates those issued before it.
 */
export const LOOK_AHEAD = 20;

export interface OneTimeCode {
  code: string;
  counter: bigint;
}

/**
 * Returns the next one-time code of a lock that has its secret. The counter never goes back: it is used up even if we
 * skip the code because a live code there is the same. @throws lock_not_set_up, codes_unused
 */
export async function nextOneTimeCode(
  scope: Scope,
  tx: Transaction,
  { id }: LockOfRoom,
  roomName: string,
): Promise<OneTimeCode> {
  const lock = await tx.db.lock.findFirstOrThrow({ where: { id } });
  // Locks of other makes can be set up too, but compute no codes.
  if (!lock.configuredAt || !lock.secretBox || lock.driver !== "mqtt") {
    throw new DomainError("lock_not_set_up", { roomName });
  }
  const secret = openLockSecret(scope, lock.id, lock.secretBox);
  const window = { validFrom: scope.now(), validTo: null };
  for (;;) {
    const counter = await takeCounter(tx, id);
    if (counter === null) throw new DomainError("codes_unused", { count: Number(lock.otpNext - lock.otpFloor) });
    const code = hotp(Buffer.from(secret, "hex"), counter);
    if (!(await isCodeUsed(tx, id, codeHashes(scope, code), window))) return { code, counter };
  }
}

async function takeCounter(tx: Transaction, lockId: number): Promise<bigint | null> {
  const [row] = await tx.sql.rows<{ counter: bigint }>(
    `UPDATE lock SET otp_next = greatest(otp_next, otp_floor) + 1
      WHERE hotel_id = $1 AND id = $2::int AND otp_next - otp_floor < $3::int RETURNING otp_next - 1 AS counter`,
    lockId,
    LOOK_AHEAD,
  );
  return row?.counter ?? null;
}

import { createHmac } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { codeHashes, isCodeUsed, type LockOfRoom } from "../credentials/credentials.ts";
import { openLockSecret } from "../locks/lock-secrets.ts";

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

interface OneTimeCode {
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
    const counter = await reserveCounter(tx, id);
    if (counter === null) throw new DomainError("codes_unused", { count: Number(lock.otpNext - lock.otpFloor) });
    const code = hotp(Buffer.from(secret, "hex"), counter);
    if (!(await isCodeUsed(tx, id, codeHashes(scope, code), window))) return { code, counter };
  }
}

async function reserveCounter(tx: Transaction, lockId: number): Promise<bigint | null> {
  const [row] = await tx.sql.rows<{ counter: bigint }>(
    `UPDATE lock SET otp_next = greatest(otp_next, otp_floor) + 1
      WHERE hotel_id = $1 AND id = $2::int AND otp_next - otp_floor < $3::int RETURNING otp_next - 1 AS counter`,
    lockId,
    LOOK_AHEAD,
  );
  return row?.counter ?? null;
}

/** One-time codes that lock $2 still accepts at the instant $3, as far as the console knows. */
const OUTSTANDING_CODES = `
  SELECT p.id FROM credential t JOIN passcode p ON p.id = t.passcode_id AND p.type = 'one_time' JOIN lock l ON l.id = t.lock_id
   WHERE t.hotel_id = $1 AND t.lock_id = $2 AND t.state NOT IN ('used', 'revoking', 'revoked') AND p.deleted_at IS NULL
     AND p.otp_counter >= l.otp_floor AND (p.valid_to IS NULL OR p.valid_to > $3::timestamptz)`;

/**
 * Raises an alert that names the outstanding one-time codes of a lock that lost its memory. The lock no longer knows
 * which of them opened it since its last report, so each may open once more without a trace. The screen adds the codes'
 * owners (`ALERT_ROW`).
 */
export async function alertReusableCodes(
  scope: Scope,
  tx: Transaction,
  { id: lockId, roomId }: { id: number; roomId: number | null },
): Promise<void> {
  const codes = await tx.sql.rows<{ id: number }>(
    `${OUTSTANDING_CODES} ORDER BY p.id`,
    lockId,
    scope.now().toISOString(),
  );
  if (codes.length === 0) return;
  const params = { codes: codes.map(({ id }) => id).join(",") };
  await raiseAlert(scope, tx, { kind: "codes_again", lockId, roomId, params });
}

/** Resolves the alert once all of its codes were used, have expired, or are confirmed as revoked by the lock. */
export async function resolveReusableCodes(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const [settled] = await tx.sql.prepared(
    "settled-codes",
    `SELECT m.id FROM alert m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'codes_again' AND m.resolved_at IS NULL
        AND NOT EXISTS (SELECT FROM credential t WHERE t.lock_id = $2 AND t.state = 'revoking'
              AND t.passcode_id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))
        AND NOT EXISTS (SELECT FROM (${OUTSTANDING_CODES}) o WHERE o.id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))`,
    lockId,
    scope.now().toISOString(),
  );
  if (settled) await resolveAlerts(scope, tx, { kind: "codes_again", lockId });
}

import { createHash, randomInt } from "node:crypto";
import type { Transaction } from "../../../kernel/transaction.ts";
import { endSessions } from "../login/accounts.ts";
import { voidLoginChallenges } from "./challenges.ts";
import { MEMBER } from "./factors.ts";

const CODE_COUNT = 10;
const CODE_LENGTH = 16;
/** 32 characters that can't be confused with each other, 5 bits each (Crockford's base32). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 80 random bits can't be guessed, so they are hashed without a key; a changed key then locks no one out. */
const hashOf = (code: string): Buffer<ArrayBuffer> => createHash("sha256").update(`second-factor:${code}`).digest();

const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
const inGroups = (code: string): string => (code.match(/.{4}/g) ?? []).join("-");

/** Creates ten codes that replace all earlier ones and returns them as shown once: `xxxx-xxxx-xxxx-xxxx`. */
export async function replaceRecoveryCodes(tx: Transaction, operatorId: number): Promise<string[]> {
  await removeRecoveryCodes(tx, operatorId);
  const codes = Array.from({ length: CODE_COUNT }, newCode);
  await tx.sql.rows(
    `INSERT INTO second_factor_code (operator_id, code_hash)
      SELECT $2::int, decode(hash, 'hex') FROM unnest($3::text[]) AS hash WHERE ${MEMBER} RETURNING operator_id`,
    operatorId,
    codes.map((code) => hashOf(code).toString("hex")),
  );
  return codes.map(inGroups);
}

export async function removeRecoveryCodes(tx: Transaction, operatorId: number): Promise<void> {
  await tx.sql.rows(
    `DELETE FROM second_factor_code WHERE operator_id = $2::int AND ${MEMBER} RETURNING operator_id`,
    operatorId,
  );
}

/** Uses a code up; returns false if it doesn't exist or was used. `code` has no separators and is in lower case. */
export async function spendRecoveryCode(
  tx: Transaction,
  operatorId: number,
  code: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.sql.rows(
    `UPDATE second_factor_code SET used_at = $4 WHERE operator_id = $2::int AND code_hash = $3 AND used_at IS NULL
      AND ${MEMBER} RETURNING operator_id`,
    operatorId,
    hashOf(code),
    now,
  );
  return rows.length === 1;
}

/**
 * Removes every second factor from a member of the transaction's hotel and ends all their sessions; until they set one
 * up again, they log in with only the password. The audit records what was removed. Returns false if there was none.
 */
export async function resetTwoStep(tx: Transaction, operatorId: number, now: Date): Promise<boolean> {
  const apps = await tx.sql.rows(
    `DELETE FROM operator_totp WHERE operator_id = $2::int AND ${MEMBER} RETURNING operator_id`,
    operatorId,
  );
  const passkeys = await tx.sql.rows(
    `DELETE FROM operator_passkey WHERE operator_id = $2::int AND ${MEMBER} RETURNING operator_id`,
    operatorId,
  );
  await removeRecoveryCodes(tx, operatorId);
  await voidLoginChallenges(tx, operatorId, now);
  if (apps.length + passkeys.length === 0) return false;
  const sessionsEnded = await endSessions(tx, operatorId, "two_step_changed", now);
  const before = { app: apps.length > 0, passkeys: passkeys.length };
  tx.audit({
    ...{ action: "operator.resetTwoStep", entity: "operator", entityId: operatorId },
    before,
    after: { sessionsEnded },
  });
  return true;
}

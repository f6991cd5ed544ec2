import type { Transaction } from "../../../kernel/transaction.ts";
import { endSessions } from "../login/accounts.ts";
import { voidLoginChallenges } from "./challenges.ts";
import { MEMBER } from "./factors.ts";
import { removeRecoveryCodes } from "./recovery-codes.ts";

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

import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../messages/raise-alerts.ts";
import { FAILURES_BEFORE_ALERT } from "./pauses.ts";

const KIND = "webhook_failing";

/** Raises an alert that a webhook fails. The hotel has one such alert, with the name of the latest webhook. */
export async function raiseFailing(scope: Scope, tx: Transaction, name: string): Promise<void> {
  await raiseAlert(scope, tx, { kind: KIND, lockId: null, roomId: null, params: { name } });
}

/** Resolves the alert once no webhook fails, except those that staff switched off. */
export async function settleFailing(scope: Scope, tx: Transaction): Promise<void> {
  const failing = await tx.db.webhook.count({
    where: { failures: { gte: FAILURES_BEFORE_ALERT }, OR: [{ disabledAt: null }, { givenUp: true }] },
  });
  if (failing === 0) await resolveAlerts(scope, tx, { kind: KIND, lockId: null });
}

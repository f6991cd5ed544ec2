import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { raiseMessage, resolveMessages } from "../messages/raise.ts";
import { FAILURES_BEFORE_ALERT } from "./pauses.ts";

const KIND = "webhook_failing";

/** Raises an alert that a webhook fails. The hotel has one such alert, with the name of the latest webhook. */
export async function raiseFailing(scope: Scope, unit: Unit, name: string): Promise<void> {
  await raiseMessage(scope, unit, { kind: KIND, lockId: null, roomId: null, params: { name } });
}

/** Resolves the alert once no webhook fails, except those that staff switched off. */
export async function settleFailing(scope: Scope, unit: Unit): Promise<void> {
  const failing = await unit.db.webhook.count({
    where: { failures: { gte: FAILURES_BEFORE_ALERT }, OR: [{ disabledAt: null }, { givenUp: true }] },
  });
  if (failing === 0) await resolveMessages(scope, unit, { kind: KIND, lockId: null });
}

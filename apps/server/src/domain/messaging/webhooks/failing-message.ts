import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { raiseMessage, resolveMessages } from "../messages/raise.ts";
import { FAILURES_BEFORE_ALERT } from "./pauses.ts";

const KIND = "webhook_failing";

/** Operators hear that a receiver doesn't take events; the house has one message of it, with the newest one's name. */
export async function raiseFailing(scope: Scope, unit: Unit, name: string): Promise<void> {
  await raiseMessage(scope, unit, { kind: KIND, lockId: null, roomId: null, params: { name } });
}

/** The message is settled once no receiver fails that somebody still wants events to go to. */
export async function settleFailing(scope: Scope, unit: Unit): Promise<void> {
  const failing = await unit.db.webhook.count({
    where: { failures: { gte: FAILURES_BEFORE_ALERT }, OR: [{ disabledAt: null }, { givenUp: true }] },
  });
  if (failing === 0) await resolveMessages(scope, unit, { kind: KIND, lockId: null });
}

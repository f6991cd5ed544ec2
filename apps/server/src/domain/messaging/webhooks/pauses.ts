import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../alerts/raise-alerts.ts";

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

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pause after the first, second … failure in a row; the last pause repeats. */
const PAUSES_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** Share by which pauses vary, so that webhooks that failed together are not retried together. */
const JITTER = 0.1;

/** A webhook that has failed for this long is switched off. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** Staff are alerted after this many failures in a row. */
export const FAILURES_BEFORE_ALERT = 3;
/** After an available receiver has refused one event this often, the event is set aside so that the others are sent. */
export const REFUSALS_OF_ONE = 6;

/** Returns the milliseconds until a webhook is retried after `failures` in a row, varied by up to 10 percent. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
  return Math.round(pause * (1 + JITTER * (2 * random() - 1)));
}

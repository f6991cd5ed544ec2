import type { AlertKind } from "@innkey/shared/enums";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { alarms, insertDeliveries } from "../webhooks/deliveries.sql.ts";

/** Content of an alert; `params` are the values in its text and contain no secrets. */
export interface Notice {
  kind: AlertKind;
  lockId: number | null;
  roomId: number | null;
  params?: Readonly<Record<string, string | number>>;
  /** Time of the cause if it is not now: the instant with which the cause was stored. */
  at?: Date;
}

/**
 * End of every INSERT of alerts: each lock has one open alert per kind, and repetitions are counted. An alert that was
 * read more than an hour ago becomes unread again.
 */
export const COUNTED_AS_ONE = `
  ON CONFLICT (hotel_id, kind, coalesce(lock_id, 0)) WHERE resolved_at IS NULL
  DO UPDATE SET count = alert.count + EXCLUDED.count, last_at = greatest(alert.last_at, EXCLUDED.last_at),
    params = EXCLUDED.params, room_id = EXCLUDED.room_id,
    read_at = CASE WHEN alert.read_at > EXCLUDED.last_at - interval '1 hour' THEN alert.read_at END`;

/** What such an INSERT returns; `fresh` means a new alert, not a repetition (an existing row has been locked). */
export const RAISED = "RETURNING *, xmax = 0 AS fresh";

/** Raises an alert about an event that a lock, or the console on its behalf, encountered. */
export async function raiseAlert(scope: Scope, tx: Transaction, notice: Notice): Promise<void> {
  const { kind, lockId, roomId, params = {}, at = scope.now() } = notice;
  await tx.sql.rows(
    `WITH raised AS (
       INSERT INTO alert (hotel_id, kind, lock_id, room_id, params, count, first_at, last_at)
       VALUES ($1, $2::alert_kind, $3::int, $4::int, $5::jsonb, 1, $6::timestamptz, $6::timestamptz)
       ${COUNTED_AS_ONE} ${RAISED})
     ${insertDeliveries(alarms("alert.raised", "raised", "m.fresh"), "$6::timestamptz")} RETURNING id::text`,
    kind,
    lockId,
    roomId,
    JSON.stringify(params),
    at.toISOString(),
  );
  await notifyAlertsChanged(tx);
}

/**
 * Resolves the alerts of a kind of one lock, or of the hotel (null), because the cause is over. Returns how many were
 * open.
 */
export async function resolveAlerts(
  scope: Scope,
  tx: Transaction,
  which: { kind: AlertKind; lockId: number | null },
): Promise<number> {
  const { kind, lockId } = which;
  const resolved = await tx.sql.rows(
    `WITH resolved AS (
       UPDATE alert SET resolved_at = $4::timestamptz
        WHERE hotel_id = $1 AND kind = $2::alert_kind AND coalesce(lock_id, 0) = coalesce($3::int, 0) AND resolved_at IS NULL
        RETURNING *), told AS (${insertDeliveries(alarms("alert.resolved", "resolved"), "$4::timestamptz")})
     SELECT id FROM resolved`,
    kind,
    lockId,
    scope.now().toISOString(),
  );
  if (resolved.length > 0) await notifyAlertsChanged(tx);
  return resolved.length;
}

/** Adds parameters to the open alert of a kind of one lock, without notifying anyone. */
export async function addAlertParams(
  tx: Transaction,
  { kind, lockId }: { kind: AlertKind; lockId: number },
  params: Readonly<Record<string, number | string>>,
): Promise<void> {
  await tx.sql.rows(
    `UPDATE alert SET params = params || $4::jsonb
      WHERE hotel_id = $1 AND kind = $2::alert_kind AND lock_id = $3::int AND resolved_at IS NULL RETURNING id`,
    kind,
    lockId,
    JSON.stringify(params),
  );
}

/** Notifies the open consoles at commit that alerts changed. */
export async function notifyAlertsChanged(tx: Transaction): Promise<void> {
  await tx.sql.rows(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'alerts', 'hotelId', $1::int)::text)::text",
  );
}

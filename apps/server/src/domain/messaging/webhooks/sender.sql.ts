/** Webhook that a worker has claimed. */
export interface ReceiverRow {
  id: number;
  hotelId: number;
  name: string;
  url: string;
  secretBox: Buffer;
  previousSecretBox: Buffer | null;
  failures: number;
  failingSince: Date | null;
  claimedUntil: Date;
}

/** Oldest event of a webhook that is not delivered yet. */
export interface QueuedDelivery {
  id: string;
  event: string;
  payload: unknown;
  createdAt: Date;
  tries: number;
}

/** $1: webhook, $2: current time. After a change of secret, the previous one also signs until it expires. */
const RECEIVER_COLUMNS = `w.id, w.hotel_id AS "hotelId", w.name, w.url, w.secret_box AS "secretBox",
  CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret_box END AS "previousSecretBox",
  w.failures, w.failing_since AS "failingSince", w.claimed_until AS "claimedUntil"`;

const WAITING = `EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'queued')`;

/** Webhooks with events to send that no worker has claimed; $1: current time. */
const READY = (now: string): string => `w.disabled_at IS NULL AND (w.next_try_at IS NULL OR w.next_try_at <= ${now})
  AND (w.claimed_until IS NULL OR w.claimed_until <= ${now}) AND ${WAITING}`;
export const DUE = `SELECT w.id FROM webhook w WHERE ${READY("$1")} ORDER BY w.id`;

/** $1: webhook, $2: current time, $3: end of the claim. */
export const CLAIM = `UPDATE webhook w SET claimed_until = $3 WHERE w.id = $1 AND ${READY("$2")} RETURNING ${RECEIVER_COLUMNS}`;

/** $1: webhook. */
export const OLDEST = `SELECT id, event, payload, created_at AS "createdAt", tries FROM webhook_delivery
  WHERE webhook_id = $1 AND state = 'queued' ORDER BY number LIMIT 1`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: end of the renewed claim, $5: delivery, $6: status. Returns
 * no row if the claim was lost.
 */
export const MARK_DELIVERED = `
  WITH taken AS (
    UPDATE webhook_delivery SET state = 'delivered', delivered_at = $2, tries = tries + 1, last_status = $6, last_error = NULL
    WHERE id = $5::uuid
  )
  UPDATE webhook w SET failures = 0, failing_since = NULL, next_try_at = NULL, claimed_until = $4
  WHERE w.id = $1 AND w.claimed_until = $3 AND w.disabled_at IS NULL RETURNING ${RECEIVER_COLUMNS}`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: next try, $5: delivery, $6: status, $7: error, $8: whether
 * to set the event aside.
 */
export const REFUSED = `
  WITH tried AS (
    UPDATE webhook_delivery SET tries = tries + 1, last_status = $6, last_error = $7::delivery_error,
      state = CASE WHEN $8 THEN 'failed' ELSE state END
    WHERE id = $5::uuid
  )
  UPDATE webhook w SET failures = failures + 1, failing_since = coalesce(failing_since, $2), next_try_at = $4, claimed_until = NULL
  WHERE w.id = $1 AND w.claimed_until = $3 RETURNING ${RECEIVER_COLUMNS}`;

/** $1: webhook, $2: end of the claim. */
export const RELEASE = "UPDATE webhook SET claimed_until = NULL WHERE id = $1 AND claimed_until = $2";

/** $1: time before which deliveries are deleted. */
export const DROP = "DELETE FROM webhook_delivery WHERE created_at < $1";

import { NOTABLE_DRIFT_SECONDS } from "../lock-commands/claim-commands.ts";

/** Joins that `credentialJson` needs for credential `c`: its lock `l`, its room `r` and its pending command `w`. */
export const CREDENTIAL_JOINS = `JOIN lock l ON l.id = c.lock_id
  LEFT JOIN room r ON r.id = c.room_id
  LEFT JOIN LATERAL (SELECT k.next_try_at, k.tries FROM lock_command k
    WHERE k.lock_id = c.lock_id AND k.credential_id = c.id AND k.state IN ('queued', 'sent')
    ORDER BY k.seq DESC LIMIT 1) w ON true`;

/** End of credential `t` by the clock of its lock `l`, for the latest window that the lock may have; null: no end. */
const endAtLockOf = (t: string): string =>
  `end_at_lock(furthest_end(${t}.valid_to, ${t}.at_lock_from, ${t}.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)`;
export const END_AT_LOCK = endAtLockOf("t");

/**
 * Whether live credential `t` has expired but its lock `l` still accepts it, because it has not received the earlier end
 * or its clock is known to be slow. Zigbee locks store no end; zigbee-periods.ts removes their codes. `now`: placeholder
 * of the instant. A clock difference counts for at most 30 days (the rule is in prisma/migrations).
 */
export const overruns = (now: string, t = "t", because = `(${lateEnd(t)} OR ${slowClock(now, t)})`): string =>
  `(${t}.state NOT IN ('revoking', 'revoked') AND ${t}.valid_to <= ${now}::timestamptz AND ${t}.at_lock_from IS NOT NULL
    AND l.deleted_at IS NULL AND l.driver <> 'zigbee2mqtt' AND ${because}
    AND (${t}.at_lock_to IS NULL OR ${endAtLockOf(t)} > ${now}::timestamptz))`;
const lateEnd = (t: string): string => `(${t}.at_lock_to IS NULL OR ${t}.at_lock_to > ${t}.valid_to)`;
const slowClock = (now: string, t: string): string =>
  `(l.drift_seconds < -${NOTABLE_DRIFT_SECONDS} AND ${t}.valid_to > ${now}::timestamptz - interval '31 days')`;

/** Finds these credentials in all hotels by their indexes: each with `id`, `"hotelId"` and `"lockId"`. */
export const overrunningKeys = (now: string): string =>
  `SELECT * FROM (${[lateEnd("t"), slowClock(now, "t")]
    .map(
      (because) => `
  SELECT t.id, t.hotel_id AS "hotelId", t.lock_id AS "lockId" FROM credential t JOIN lock l ON l.id = t.lock_id
  WHERE ${overruns(now, "t", because)}`,
    )
    .join(" UNION ")}) overrunning`;

/**
 * A credential in the form of `credentialRow` (schemas/locks.ts). `label` and `state` are SQL expressions from the
 * caller.
 */
export const credentialJson = (label: string, state = "c.state"): string => `json_build_object(
  'id', c.id, 'kind', c.kind, 'state', ${state}, 'lockId', c.lock_id, 'roomId', c.room_id, 'roomName', r.name,
  'lockOnline', l.online, 'lockHeardAt', iso(l.last_seen_at), 'cardId', c.card_id, 'passcodeId', c.passcode_id, 'faceId', c.face_id, 'label', ${label},
  'validFrom', iso(c.valid_from), 'validTo', iso(c.valid_to), 'failReason', c.fail_reason,
  'nextTryAt', iso(w.next_try_at), 'tries', coalesce(w.tries, 0), 'confirmedAt', iso(c.confirmed_at),
  'usedAt', iso(c.used_at), 'revokedAt', iso(c.revoked_at), 'createdAt', iso(c.created_at))`;

/** Joins that `credentialJson` needs for credential `c`: its lock `l`, its room `r` and its pending command `w`. */
export const CREDENTIAL_JOINS = `JOIN lock l ON l.id = c.lock_id
  LEFT JOIN room r ON r.id = c.room_id
  LEFT JOIN LATERAL (SELECT k.next_try_at, k.tries FROM lock_command k
    WHERE k.lock_id = c.lock_id AND k.credential_id = c.id AND k.state IN ('queued', 'sent')
    ORDER BY k.seq DESC LIMIT 1) w ON true`;

/** End of credential `t` by the clock of its lock `l`, for the latest window that the lock may have; null: no end. */
export const END_AT_LOCK =
  "end_at_lock(furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)";

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

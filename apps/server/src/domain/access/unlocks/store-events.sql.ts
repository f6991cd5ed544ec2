import { hasSubscriber, UNLOCK_EVENTS } from "../../messaging/public.ts";

/**
 * $1: lock ids. Rows are locked in the order of ids, as everywhere, to avoid deadlocks. Later statements of the batch
 * take their snapshot once it holds the locks.
 */
export const HOLD_LOCKS = `
  SELECT id, hotel_id AS "hotelId", room_id AS "roomId", driver::text AS driver, power,
    event_seq::float8 AS "eventSeq", event_log AS "eventLog",
    event_base::float8 AS "eventBase", drift_seconds AS "driftSeconds", guest_floor AS "guestFloor", otp_next::float8 AS "otpNext",
    (SELECT coalesce(max(c.sequence), 0) FROM card c WHERE c.lock_number = lock.id) AS "everIssued",
    (SELECT coalesce(max(c.sequence), 0) FROM card c WHERE c.lock_number = lock.id
       AND (lock.sequence_from IS NULL OR c.created_at >= lock.sequence_from)) AS issued,
    otp_floor::float8 AS "otpFloor", breaker_opened_at IS NOT NULL AS stopped,
    ${hasSubscriber("lock.hotel_id", UNLOCK_EVENTS)} AS told
  FROM lock WHERE id = ANY ($1::int[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1: locks, $2: numbers of their events, $3: commands that the events name, $4: times of the events, $5: now. A lock's
 * report is only a claim: the command must be an unlock sent to this lock at about that time, and each opens once.
 * Either the lock's clock or ours may show the time, because one may be wrong and the other late.
 */
export const CLAIM_OPENINGS = `
  UPDATE lock_command k SET opening_number = e.number
  FROM (
    SELECT DISTINCT ON (x.lock_id, x.id) x.* FROM unnest($1::int[], $2::bigint[], $3::uuid[], $4::timestamptz[])
      AS x (lock_id, number, id, at) ORDER BY x.lock_id, x.id, x.number
  ) e
  WHERE k.id = e.id AND k.lock_id = e.lock_id AND k.type = 'unlock' AND k.sent_at IS NOT NULL
    AND coalesce(k.opening_number, e.number) = e.number
    AND (e.at BETWEEN k.created_at - interval '5 minutes' AND k.sent_at + interval '10 minutes'
      OR $5::timestamptz BETWEEN k.created_at AND k.sent_at + interval '10 minutes')
  RETURNING k.lock_id AS "lockId", k.opening_number::float8 AS number, k.id AS "commandId"`;

/**
 * Inserts the events that are not stored yet and resolves what they refer to. The card is found by its number (of
 * several issues, the newest that existed then), the credential by its slot, its card or its one-time counter. The
 * staff member is found by the claimed command (`CLAIM_OPENINGS`), the guest by the stay of the card or credential. The
 * time of a late event is used if it is not before the preceding event. Each parameter is one column of the batch, and
 * $14 is now. Returns the new records.
 */
export const KEEP = `
  INSERT INTO unlock_record (lock_id, hotel_id, room_id, lock_seq, at, style, success, reason, source,
    operator_id, stay_guest_id, card_id, credential_id, received_at, happened_at)
  SELECT e.lock_id, e.hotel_id, e.room_id, e.seq, e.at, e.style, e.success, e.reason, e.source,
    k.created_by_id, sg.id, coalesce(c.id, t.card_id), t.id, $14::timestamptz,
    CASE WHEN e.late IS NULL THEN NULL
      WHEN (SELECT e.late >= coalesce(b.happened_at, b.received_at) FROM unlock_record b
        WHERE b.lock_id = e.lock_id AND b.lock_seq < e.seq ORDER BY b.lock_seq DESC LIMIT 1) THEN e.late END
  FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::timestamptz[], $6::unlock_style[], $7::boolean[],
      $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::uuid[], $15::timestamptz[])
    WITH ORDINALITY AS e (lock_id, hotel_id, room_id, seq, at, style, success, reason, source, uid, slot, counter, command_id, late, turn)
  LEFT JOIN LATERAL (
    SELECT c.id, c.stay_id FROM card c WHERE c.hotel_id = e.hotel_id AND c.uid = e.uid
    ORDER BY (c.created_at <= e.at) DESC, c.id DESC LIMIT 1
  ) c ON true
  LEFT JOIN LATERAL (
    SELECT t.id, t.stay_id, t.card_id FROM credential t WHERE t.id = e.slot AND t.lock_id = e.lock_id
    UNION ALL
    SELECT t.id, t.stay_id, t.card_id FROM credential t
    WHERE t.lock_id = e.lock_id AND t.card_id = c.id AND t.state <> 'revoked'
    UNION ALL
    SELECT t.id, t.stay_id, t.card_id FROM credential t JOIN passcode p ON p.id = t.passcode_id
    WHERE e.counter IS NOT NULL AND t.lock_id = e.lock_id AND p.otp_counter = e.counter
    LIMIT 1
  ) t ON true
  LEFT JOIN lock_command k ON k.id = e.command_id AND k.lock_id = e.lock_id
  LEFT JOIN stay_guest sg ON sg.stay_id = coalesce(c.stay_id, t.stay_id) AND sg."primary"
  ORDER BY e.turn
  ON CONFLICT (lock_id, lock_seq) DO NOTHING
  RETURNING lock_id AS "lockId", lock_seq::float8 AS number, card_id AS "cardId", credential_id AS "credentialId"`;

/** An unlock confirms the window that the lock has. This is the window being sent only if the lock had none before. */
const FIRST_PROOF = "(t.state IN ('queued', 'sent') AND t.at_lock_from IS NULL)";

/**
 * $1: now; $2–$6: locks; $7, $8 cards and $9, $10 credentials with the time they last opened a door; $11: notifications
 * for open screens. An unlock never changes the state of a credential that is being revoked or that the lock refused.
 * Returns the cards whose writing is not confirmed.
 */
export const NOTE = `
  WITH seen AS (
    UPDATE lock l SET last_seen_at = $1::timestamptz, failures = 0, breaker_opened_at = NULL, event_seq = x.event_seq,
      power = x.power, guest_floor = x.guest_floor, otp_floor = x.otp_floor
    FROM unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::bigint[])
      AS x (id, event_seq, power, guest_floor, otp_floor)
    WHERE l.id = x.id
  ), cards AS (
    UPDATE card c SET used_at = greatest(c.used_at, x.at)
    FROM unnest($7::int[], $8::timestamptz[]) AS x (id, at) WHERE c.id = x.id RETURNING c.id, c.state
  ), credentials AS (
    UPDATE credential t SET used_at = greatest(t.used_at, x.at),
      state = CASE WHEN t.state = 'confirmed' OR ${FIRST_PROOF} THEN 'used' ELSE t.state END,
      at_lock_from = CASE WHEN ${FIRST_PROOF} THEN t.valid_from ELSE t.at_lock_from END,
      at_lock_to = CASE WHEN ${FIRST_PROOF} THEN t.valid_to ELSE t.at_lock_to END
    FROM unnest($9::int[], $10::timestamptz[]) AS x (id, at) WHERE t.id = x.id
  )
  SELECT NULL::int AS "cardId", pg_notify('innkey', notice)::text AS notified FROM unnest($11::text[]) AS notice
  UNION ALL SELECT id, NULL FROM cards WHERE state = 'pending'`;

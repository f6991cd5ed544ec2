-- The window that a lock has for a key, as far as anybody knows: as it last confirmed it, or as it was sent and may have arrived.
-- at_lock_from is null where the lock has none; at_lock_to is null then too, and for a window without end.
ALTER TABLE credential ADD COLUMN at_lock_from timestamptz(3), ADD COLUMN at_lock_to timestamptz(3);
UPDATE credential t SET at_lock_from = t.valid_from, at_lock_to = t.valid_to
 WHERE (t.state IN ('confirmed', 'used', 'revoking') OR (t.state <> 'revoked' AND t.confirmed_at IS NOT NULL))
   AND NOT EXISTS (SELECT FROM passcode p WHERE p.id = t.passcode_id AND p.type = 'one_time');

-- Keys whose lock lets them in for longer than it should.
CREATE INDEX credential_reaching_further ON credential (valid_to)
  WHERE state NOT IN ('revoking', 'revoked') AND at_lock_from IS NOT NULL AND (at_lock_to IS NULL OR at_lock_to > valid_to);

-- The last end that a key may have at its lock; null: none.
CREATE FUNCTION furthest_end(valid_to timestamptz, at_lock_from timestamptz, at_lock_to timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN valid_to IS NULL OR (at_lock_from IS NOT NULL AND at_lock_to IS NULL) THEN NULL
    ELSE greatest(valid_to, at_lock_to) END
$$;

-- As before (the function end_at_lock came with the last one), and a card on a lock's list opens until the furthest of its ends there.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id,
      end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at) AS ends_at
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.id = c.lock_number
   WHERE c.state = 'revoking' AND NOT c.over_the_air AND l.guest_floor <= c.sequence
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id,
      end_at_lock(furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id
   WHERE c.state = 'revoking' AND t.state <> 'revoked';

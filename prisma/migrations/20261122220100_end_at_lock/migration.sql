-- When the end of a key is over at its lock, by the lock's own clock. One that runs slow opens for longer, by what it is known to
-- be slow; one that was silent for more than a day before the end may have drifted, a second for each further hour. Both
-- together count for 30 days at most. A Zigbee lock knows no ends, and a key without one has none.
CREATE FUNCTION end_at_lock(valid_to timestamptz, driver lock_driver, drift_seconds int, last_seen_at timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN valid_to IS NULL OR driver = 'zigbee2mqtt' THEN NULL
    ELSE valid_to + make_interval(secs => least(2592000, greatest(0, -coalesce(drift_seconds, 0)::float8)
      + greatest(0, coalesce((extract(epoch FROM valid_to - last_seen_at)::float8 - 86400) / 3600, 0)))) END
$$;

-- Cards that were taken back, the doors they may still open, and until when (null: for good): the one place where this is
-- decided. A room record opens the lock whose number it carries, wherever that hangs now, also when it was removed or is reached
-- in another way since: until the lock refuses records of its sequence, or refuses all other records of the card's number for
-- at least as long, because of a block or because it lets in one other record. A card that opens from a lock's list opens until
-- the lock has dropped it.
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
  SELECT c.hotel_id, c.id, t.lock_id, end_at_lock(t.valid_to, l.driver, l.drift_seconds, l.last_seen_at)
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id
   WHERE c.state = 'revoking' AND t.state <> 'revoked';

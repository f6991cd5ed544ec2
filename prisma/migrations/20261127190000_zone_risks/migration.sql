-- Only locks of our own protocol read the records of zones. Those of other makes were listed too, without ever getting a key.
DELETE FROM lock_zone x USING lock l WHERE l.id = x.lock_id AND l.driver <> 'mqtt' AND x.confirmed_at IS NULL;

-- A card that was written and not confirmed carries its zones too.
DROP INDEX card_lost_zones;
CREATE INDEX card_lost_zones ON card (hotel_id) WHERE state IN ('pending', 'active') AND revoked_zones <> '{}';

-- As in the migration zones, with three differences for the records of zones: a lock that is reached in another way since
-- still may have the zone's key; a lock that was removed opens no door for cards that were made afterwards; and a card whose
-- writing was not confirmed is a risk at the zones that its stay has lost.
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
   WHERE c.state = 'revoking' AND t.state <> 'revoked'
  UNION ALL
  SELECT c.hotel_id, c.id, l.id, end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at)
    FROM card c
    CROSS JOIN LATERAL (SELECT DISTINCT x.lock_id FROM lock_zone x WHERE x.hotel_id = c.hotel_id AND x.zone_id = ANY (c.zones)) z
    JOIN lock l ON l.id = z.lock_id AND (l.deleted_at IS NULL OR c.created_at <= l.deleted_at)
   WHERE c.state = 'revoking' AND c.zones <> '{}' AND c.kind = 'guest' AND NOT c.over_the_air
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, l.id, end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at)
    FROM card c
    CROSS JOIN LATERAL (SELECT DISTINCT x.lock_id FROM lock_zone x WHERE x.hotel_id = c.hotel_id AND x.zone_id = ANY (c.revoked_zones)) z
    JOIN lock l ON l.id = z.lock_id AND (l.deleted_at IS NULL OR c.created_at <= l.deleted_at)
   WHERE c.state IN ('pending', 'active') AND c.revoked_zones <> '{}' AND c.kind = 'guest' AND NOT c.over_the_air
     AND NOT EXISTS (SELECT FROM lock_zone y WHERE y.lock_id = l.id AND y.left_at IS NULL
       AND y.zone_id = ANY (c.zones) AND y.zone_id <> ALL (c.revoked_zones))
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'));

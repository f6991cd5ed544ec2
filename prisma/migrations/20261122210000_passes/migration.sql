-- No lock is given a key of all doors any more.
ALTER TABLE "lock" DROP COLUMN "zones";

-- Cards that were taken back and the doors they may still open: the one place where this is decided. A room record opens the
-- lock whose number it carries, wherever that hangs now, until the lock refuses records of its sequence, or refuses all other
-- records of the card's number for at least as long: told so by a block, or by the one record that it is to let in again.
-- A card that opens from a lock's list opens until the lock has dropped it. Only locks of our own kind read records.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.id = c.lock_number AND l.removed_at IS NULL AND l.driver = 'mqtt'
   WHERE c.state = 'revoking' AND NOT c.over_the_air AND l.guest_floor <= c.sequence
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id AND l.removed_at IS NULL
   WHERE c.state = 'revoking' AND t.state <> 'revoked';

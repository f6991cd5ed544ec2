-- AlterTable
ALTER TABLE "card" ADD COLUMN     "lock_number" INTEGER;

UPDATE card c SET lock_number = l.id FROM card_room cr JOIN lock l ON l.hotel_id = cr.hotel_id AND l.room_id = cr.room_id
  WHERE cr.card_id = c.id AND c.kind = 'guest' AND NOT c.over_the_air;
ALTER TABLE card ADD CONSTRAINT card_lock_number CHECK (NOT over_the_air OR lock_number IS NULL);
CREATE INDEX card_of_lock ON card (hotel_id, lock_number) WHERE state <> 'revoked' AND NOT over_the_air;
CREATE INDEX lock_command_of_card ON lock_command (lock_id, subject, seq) WHERE type IN ('block_card', 'allow_card');

-- Cards that were taken back and the doors they may still open: the one place where this is decided. A record opens the lock
-- whose number it carries, wherever that hangs now, until the lock refuses records of its sequence, or was told to refuse
-- the card's number for as long as the record lasts. A card without a record of its own, or one that needs to be on the
-- lock's list, opens until the lock has dropped it. Only locks of our own kind read records.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.removed_at IS NULL AND l.driver = 'mqtt'
   WHERE c.state = 'revoking' AND NOT c.over_the_air
     AND ((c.kind = 'guest' AND l.id = c.lock_number AND l.guest_floor <= c.sequence)
       OR (c.kind = 'universal' AND l.master_floor <= c.sequence))
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.type = 'block_card' AND k.state = 'acknowledged'
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id AND l.removed_at IS NULL
   WHERE c.state = 'revoking' AND t.state <> 'revoked' AND (c.over_the_air OR (c.kind = 'management' AND l.master_floor <= c.sequence));

-- Every lock has keys of its own for what is written on cards, and a secret that its keys travel under.
ALTER TABLE "lock" ADD COLUMN     "pairing_box" BYTEA,
ADD COLUMN     "pairing_counter" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "zones" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- A card carries a room record in the first sector in use and zone records in the others.
ALTER TABLE "card_profile" ADD COLUMN     "sectors" INTEGER[];
UPDATE card_profile SET sectors = CASE cipher WHEN 'aes' THEN ARRAY[sector, 2, 3, 4, 5] ELSE ARRAY[sector] END;
ALTER TABLE "card_profile" DROP COLUMN "sector";
ALTER TABLE card_profile ADD CONSTRAINT card_profile_sectors CHECK (cardinality(sectors) BETWEEN 1 AND 9);
ALTER TABLE "card" ADD COLUMN     "zones" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
ALTER TABLE card DROP CONSTRAINT card_lock_number;
ALTER TABLE card ADD CONSTRAINT card_records CHECK (NOT over_the_air OR (lock_number IS NULL AND zones = '{}'));

-- Cards that were taken back and the doors they may still open: the one place where this is decided. A room record opens the
-- lock whose number it carries, wherever that hangs now, until the lock refuses records of its sequence, or was told to refuse
-- the card's number for as long as the record lasts. A card that opens from a lock's list opens until the lock has dropped it.
-- Only locks of our own kind read records.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.id = c.lock_number AND l.removed_at IS NULL AND l.driver = 'mqtt'
   WHERE c.state = 'revoking' AND NOT c.over_the_air AND l.guest_floor <= c.sequence
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.type = 'block_card' AND k.state = 'acknowledged'
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id AND l.removed_at IS NULL
   WHERE c.state = 'revoking' AND t.state <> 'revoked';

-- The record of all doors has no issue sequence: each lock keeps the list of such cards.
ALTER TABLE "lock" DROP COLUMN "master_floor";
ALTER TABLE "hotel" DROP COLUMN "master_sequence";

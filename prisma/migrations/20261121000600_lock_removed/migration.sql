-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);

-- A lock that left the house keeps its records and its number; the same device, registered again, is the same lock.
ALTER TABLE lock ADD CONSTRAINT lock_removed_is_off CHECK (removed_at IS NULL OR room_id IS NULL);

-- As before, without doors that are not in the house any more.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.removed_at IS NULL
   WHERE c.state = 'revoking' AND NOT c.over_the_air
     AND ((c.kind = 'guest' AND l.guest_floor <= c.sequence
            AND EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND cr.room_id = l.room_id))
       OR (c.kind = 'universal' AND l.master_floor <= c.sequence))
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.card_id = c.id AND k.type = 'block_card' AND k.state = 'acknowledged')
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id AND l.removed_at IS NULL
   WHERE c.state = 'revoking' AND t.state <> 'revoked' AND (c.over_the_air OR l.master_floor <= c.sequence);

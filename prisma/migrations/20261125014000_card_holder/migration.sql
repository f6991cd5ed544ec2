-- A card belongs to a guest of its stay, and a written card that no longer fits its stay is to be written again.

-- AlterEnum
ALTER TYPE "alert_kind" ADD VALUE 'cards_to_rewrite';

-- AlterTable
ALTER TABLE "card" ADD COLUMN     "replaced_at" TIMESTAMPTZ(3),
ADD COLUMN     "stay_guest_id" INTEGER;

-- CreateIndex
CREATE INDEX "card_stay_guest_id_idx" ON "card"("stay_guest_id");

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The cards of stays with one guest are that guest's.
UPDATE card c SET stay_guest_id = sg.id FROM stay_guest sg
 WHERE c.kind = 'guest' AND sg.hotel_id = c.hotel_id AND sg.stay_id = c.stay_id
   AND NOT EXISTS (SELECT FROM stay_guest other WHERE other.stay_id = sg.stay_id AND other.id <> sg.id);

-- A guest who leaves the party leaves the card to the stay.
CREATE FUNCTION release_cards_of_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE card SET stay_guest_id = NULL WHERE hotel_id = OLD.hotel_id AND stay_guest_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER stay_guest_release_cards BEFORE DELETE ON stay_guest FOR EACH ROW EXECUTE FUNCTION release_cards_of_guest();

-- The written guests' cards that the desk must write again, with the reason. `stay_id` is the stay in the house that
-- needs the card; null: no such stay, so it matters only as long as the card itself is valid. Nothing here depends on
-- the time, so that the board may keep it.
--   unfinished    writing it again began and was not confirmed, so the card may carry anything
--   room_changed  the party moved to a door that it doesn't open
--   too_short     the stay's access now ends later than the card
--   refused       the door's lock was replaced or its sequence started anew, or it refuses the card's sequence
CREATE VIEW card_to_rewrite WITH (security_invoker = true) AS
  SELECT c.hotel_id, c.id AS card_id, s.id AS stay_id, c.stay_guest_id, why.reason
    FROM card c
    LEFT JOIN stay s ON s.hotel_id = c.hotel_id AND s.id = c.stay_id AND s.state = 'checked_in'
    JOIN hotel h ON h.id = c.hotel_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked') AND c.revoke_reason = 'reissued' AND EXISTS (
        SELECT FROM card p WHERE p.hotel_id = c.hotel_id AND p.uid = c.uid AND p.stay_id = s.id AND p.state = 'pending'
          AND NOT p.over_the_air AND p.id > c.id) THEN 'unfinished'
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked')
        AND c.revoke_reason IN ('room_changed', 'lock_moved', 'sequence_reset') AND EXISTS (
          SELECT FROM occupancy o JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = o.room_id AND l.driver = 'mqtt'
           WHERE o.hotel_id = c.hotel_id AND o.stay_id = s.id AND o.state = 'in_house')
        THEN CASE c.revoke_reason WHEN 'room_changed' THEN 'room_changed' ELSE 'refused' END
      WHEN c.state <> 'active' THEN NULL
      WHEN s.id IS NOT NULL AND c.valid_to < s.ends_at + make_interval(mins => h.access_late_minutes) THEN 'too_short'
      WHEN NOT EXISTS (SELECT FROM card_room cr JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = cr.room_id
         WHERE cr.card_id = c.id AND l.id = c.lock_number AND l.guest_floor <= c.sequence) THEN 'refused'
      END AS reason) why
   WHERE c.kind = 'guest' AND NOT c.over_the_air AND c.confirmed_at IS NOT NULL AND c.replaced_at IS NULL
     AND why.reason IS NOT NULL;

-- AlterEnum
ALTER TYPE "alert_kind" ADD VALUE 'spare_opened';

-- A spare card is a guest's card for one room that no stay has yet. Its number is that of its envelope.
ALTER TABLE "card" ADD COLUMN "spare_number" INTEGER;
ALTER TABLE card ADD CONSTRAINT card_spare
  CHECK (spare_number IS NULL OR (spare_number > 0 AND kind = 'guest' AND NOT over_the_air AND stay_id IS NULL));
CREATE INDEX card_spare ON card (hotel_id, lock_number) WHERE spare_number IS NOT NULL;

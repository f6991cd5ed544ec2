-- Charges for something else than the room, and the entries that take one back and that undo a withdrawal. The next migration
-- uses the new words, which it can only do in another transaction.
ALTER TYPE "folio_entry_type" ADD VALUE 'extra';
ALTER TYPE "folio_entry_type" ADD VALUE 'breakfast';
ALTER TYPE "folio_entry_type" ADD VALUE 'cancellation';
ALTER TYPE "folio_entry_type" ADD VALUE 'withdrawal_undone';

ALTER TABLE "folio_entry" ADD COLUMN "quantity" INTEGER;
ALTER TABLE "folio_entry" ADD COLUMN "unit_minor" INTEGER;
ALTER TABLE "folio_entry" ADD COLUMN "service_date" DATE;

ALTER TABLE "breakfast" ADD COLUMN "folio_entry_id" INTEGER;
CREATE INDEX "breakfast_folio_entry_id_idx" ON "breakfast"("folio_entry_id");
ALTER TABLE "breakfast" ADD CONSTRAINT "breakfast_hotel_id_folio_entry_id_fkey" FOREIGN KEY ("hotel_id", "folio_entry_id")
  REFERENCES "folio_entry"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

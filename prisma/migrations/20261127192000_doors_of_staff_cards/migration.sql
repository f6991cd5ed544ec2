-- Common doors that a staff card opens, beside its rooms.

-- CreateTable
CREATE TABLE "card_door" (
    "hotel_id" INTEGER NOT NULL,
    "card_id" INTEGER NOT NULL,
    "door_id" INTEGER NOT NULL,

    CONSTRAINT "card_door_pkey" PRIMARY KEY ("card_id","door_id")
);

-- CreateIndex
CREATE INDEX "card_door_hotel_id_door_id_idx" ON "card_door"("hotel_id", "door_id");

-- AddForeignKey
ALTER TABLE "card_door" ADD CONSTRAINT "card_door_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_door" ADD CONSTRAINT "card_door_hotel_id_door_id_fkey" FOREIGN KEY ("hotel_id", "door_id") REFERENCES "door"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER card_door_insert_notice AFTER INSERT ON card_door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_door_update_notice AFTER UPDATE ON card_door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_door_delete_notice AFTER DELETE ON card_door REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');

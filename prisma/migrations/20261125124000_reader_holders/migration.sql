-- A card reader is bound to any number of people.

-- CreateTable
CREATE TABLE "card_reader_holder" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "card_reader_id" INTEGER NOT NULL,
    "operator_id" INTEGER,
    "customer_id" INTEGER,

    CONSTRAINT "card_reader_holder_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "card_reader_holder_customer_id_idx" ON "card_reader_holder"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "card_reader_holder_card_reader_id_operator_id_key" ON "card_reader_holder"("card_reader_id", "operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "card_reader_holder_card_reader_id_customer_id_key" ON "card_reader_holder"("card_reader_id", "customer_id");

-- AddForeignKey
ALTER TABLE "card_reader_holder" ADD CONSTRAINT "card_reader_holder_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader_holder" ADD CONSTRAINT "card_reader_holder_hotel_id_card_reader_id_fkey" FOREIGN KEY ("hotel_id", "card_reader_id") REFERENCES "card_reader"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader_holder" ADD CONSTRAINT "card_reader_holder_hotel_id_customer_id_fkey" FOREIGN KEY ("hotel_id", "customer_id") REFERENCES "customer"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader_holder" ADD CONSTRAINT "card_reader_holder_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE card_reader_holder ADD CONSTRAINT card_reader_holder_one_person CHECK (num_nonnulls(operator_id, customer_id) = 1);

INSERT INTO card_reader_holder (hotel_id, card_reader_id, operator_id, customer_id)
SELECT hotel_id, id, operator_id, customer_id FROM card_reader
 WHERE operator_id IS NOT NULL OR customer_id IS NOT NULL ORDER BY id;

-- The notice of a reader compares its columns, so it is made anew without the holder.
DROP TRIGGER card_reader_update_notice ON card_reader;
ALTER TABLE card_reader DROP CONSTRAINT card_reader_one_holder;
ALTER TABLE "card_reader" DROP COLUMN "operator_id", DROP COLUMN "customer_id";
CREATE TRIGGER card_reader_update_notice AFTER UPDATE ON card_reader FOR EACH ROW
  WHEN (ROW(OLD.id, OLD.hotel_id, OLD.device_no, OLD.name, OLD.type, OLD.note, OLD.created_at)
    IS DISTINCT FROM ROW(NEW.id, NEW.hotel_id, NEW.device_no, NEW.name, NEW.type, NEW.note, NEW.created_at))
  EXECUTE FUNCTION notify_row('readers');

CREATE TRIGGER card_reader_holder_insert_notice AFTER INSERT ON card_reader_holder REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('readers');
CREATE TRIGGER card_reader_holder_delete_notice AFTER DELETE ON card_reader_holder REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('readers');
CREATE TRIGGER card_reader_holder_update_notice AFTER UPDATE ON card_reader_holder REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('readers');

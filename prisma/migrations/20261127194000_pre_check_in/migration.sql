-- What guests write about themselves on their page before they arrive.

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "guest_gives_arrival" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "guest_gives_document" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "guest_gives_identity" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "pre_check_in" (
    "stay_guest_id" INTEGER NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "content_box" BYTEA,
    "arrival_time" TEXT NOT NULL DEFAULT '',
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "pre_check_in_pkey" PRIMARY KEY ("stay_guest_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pre_check_in_hotel_id_stay_guest_id_key" ON "pre_check_in"("hotel_id", "stay_guest_id");

-- AddForeignKey
ALTER TABLE "pre_check_in" ADD CONSTRAINT "pre_check_in_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pre_check_in" ADD CONSTRAINT "pre_check_in_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER pre_check_in_insert_notice AFTER INSERT ON pre_check_in REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER pre_check_in_update_notice AFTER UPDATE ON pre_check_in REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER pre_check_in_delete_notice AFTER DELETE ON pre_check_in REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');

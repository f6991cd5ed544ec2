-- Signatures and photos of documents that guests send before they arrive.

-- CreateEnum
CREATE TYPE "guest_picture_kind" AS ENUM ('signature', 'document');

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "guest_gives_photo" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "guest_gives_signature" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "guest_picture" (
    "stay_guest_id" INTEGER NOT NULL,
    "kind" "guest_picture_kind" NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "content_box" BYTEA NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_picture_pkey" PRIMARY KEY ("stay_guest_id","kind")
);

-- CreateIndex
CREATE INDEX "guest_picture_hotel_id_stay_guest_id_idx" ON "guest_picture"("hotel_id", "stay_guest_id");

-- AddForeignKey
ALTER TABLE "guest_picture" ADD CONSTRAINT "guest_picture_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_picture" ADD CONSTRAINT "guest_picture_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER guest_picture_insert_notice AFTER INSERT ON guest_picture REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER guest_picture_update_notice AFTER UPDATE ON guest_picture REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER guest_picture_delete_notice AFTER DELETE ON guest_picture REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');

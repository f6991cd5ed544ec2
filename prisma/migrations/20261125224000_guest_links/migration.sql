-- The addresses of guests' pages, and the browsers in which a guest has shown who they are. Secrets are stored hashed.

-- AlterEnum
ALTER TYPE "opening_reason" ADD VALUE 'guest_page';

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "guest_opens_door" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "guest_link" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_guest_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),
    "proven_at" TIMESTAMPTZ(3),
    "wrong_proofs" INTEGER NOT NULL DEFAULT 0,
    "opened_door_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guest_link_device" (
    "hotel_id" INTEGER NOT NULL,
    "link_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "proven_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "guest_link_device_pkey" PRIMARY KEY ("link_id","token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "guest_link_token_hash_key" ON "guest_link"("token_hash");

-- CreateIndex
CREATE INDEX "guest_link_hotel_id_stay_guest_id_idx" ON "guest_link"("hotel_id", "stay_guest_id");

-- CreateIndex
CREATE UNIQUE INDEX "guest_link_hotel_id_id_key" ON "guest_link"("hotel_id", "id");

-- AddForeignKey
ALTER TABLE "guest_link" ADD CONSTRAINT "guest_link_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_link" ADD CONSTRAINT "guest_link_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_link_device" ADD CONSTRAINT "guest_link_device_hotel_id_link_id_fkey" FOREIGN KEY ("hotel_id", "link_id") REFERENCES "guest_link"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One link per guest and stay: a new one ends the one before.
CREATE UNIQUE INDEX guest_link_live ON guest_link (stay_guest_id) WHERE revoked_at IS NULL;

CREATE TRIGGER guest_link_insert_notice AFTER INSERT ON guest_link REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER guest_link_update_notice AFTER UPDATE ON guest_link REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');
CREATE TRIGGER guest_link_delete_notice AFTER DELETE ON guest_link REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestLinks');

-- CreateEnum
CREATE TYPE "card_kind" AS ENUM ('guest', 'management', 'universal');

-- CreateEnum
CREATE TYPE "card_state" AS ENUM ('pending', 'active', 'revoking', 'revoked');

-- CreateEnum
CREATE TYPE "card_cipher" AS ENUM ('des_cbc', 'aes');

-- AlterTable
ALTER TABLE "room" ADD COLUMN     "card_sequence" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "card_profile" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "cipher" "card_cipher" NOT NULL,
    "sector" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "key_type" TEXT NOT NULL,
    "site_code" INTEGER NOT NULL,
    "keys_box" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "card_profile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "uid" TEXT NOT NULL,
    "kind" "card_kind" NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "state" "card_state" NOT NULL DEFAULT 'pending',
    "profile_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "sequence" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "issued_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoke_reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "card_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_room" (
    "hotel_id" INTEGER NOT NULL,
    "card_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,

    CONSTRAINT "card_room_pkey" PRIMARY KEY ("card_id","room_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "card_profile_hotel_id_id_key" ON "card_profile"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "card_hotel_id_uid_idx" ON "card"("hotel_id", "uid");

-- CreateIndex
CREATE INDEX "card_hotel_id_stay_id_idx" ON "card"("hotel_id", "stay_id");

-- CreateIndex
CREATE UNIQUE INDEX "card_hotel_id_id_key" ON "card"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "card_room_hotel_id_room_id_idx" ON "card_room"("hotel_id", "room_id");

-- AddForeignKey
ALTER TABLE "card_profile" ADD CONSTRAINT "card_profile_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_profile_id_fkey" FOREIGN KEY ("hotel_id", "profile_id") REFERENCES "card_profile"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_room" ADD CONSTRAINT "card_room_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_room" ADD CONSTRAINT "card_room_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One live issue per physical card, one set of keys in use per hotel.
CREATE UNIQUE INDEX card_one_live ON card (hotel_id, uid) WHERE state IN ('pending', 'active');
CREATE UNIQUE INDEX card_profile_one_in_use ON card_profile (hotel_id) WHERE retired_at IS NULL;
ALTER TABLE card ADD CONSTRAINT card_sequence_range CHECK (sequence BETWEEN 0 AND 65535);

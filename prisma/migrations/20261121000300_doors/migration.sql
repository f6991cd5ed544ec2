-- CreateEnum
CREATE TYPE "lock_driver" AS ENUM ('mqtt', 'zigbee2mqtt', 'ttlock');

-- CreateEnum
CREATE TYPE "lock_command_type" AS ENUM ('configure', 'set_credential', 'remove_credential', 'block_card', 'allow_card', 'raise_floor', 'skip_code', 'set_clock', 'notice', 'unlock', 'read_back');

-- CreateEnum
CREATE TYPE "lock_command_state" AS ENUM ('queued', 'sent', 'acknowledged', 'failed', 'expired', 'superseded');

-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('card', 'passcode', 'face');

-- CreateEnum
CREATE TYPE "credential_state" AS ENUM ('queued', 'sent', 'confirmed', 'used', 'failed', 'revoking', 'revoked');

-- CreateEnum
CREATE TYPE "passcode_type" AS ENUM ('air', 'custom', 'one_time');

-- CreateEnum
CREATE TYPE "message_kind" AS ENUM ('battery_low', 'tamper', 'wrong_codes', 'lock_offline', 'clock_drift', 'records_lost', 'command_failed', 'unmanaged_code');

-- CreateEnum
CREATE TYPE "device_link_kind" AS ENUM ('zigbee2mqtt', 'ttlock', 'home_assistant');

-- AlterEnum
ALTER TYPE "file_kind" ADD VALUE 'face';

-- AlterTable
ALTER TABLE "card" ADD COLUMN     "over_the_air" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "access_early_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "access_late_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "master_sequence" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "access_hash" BYTEA,
ADD COLUMN     "address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "breaker_opened_at" TIMESTAMPTZ(3),
ADD COLUMN     "configured_at" TIMESTAMPTZ(3),
ADD COLUMN     "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "drift_seconds" INTEGER,
ADD COLUMN     "event_seq" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "guest_floor" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_error" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "master_floor" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "otp_floor" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "otp_next" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "profile_id" INTEGER,
ADD COLUMN     "read_back_at" TIMESTAMPTZ(3),
ADD COLUMN     "secret_box" BYTEA,
ADD COLUMN     "unmanaged" JSONB NOT NULL DEFAULT '[]',
ALTER COLUMN "driver" DROP DEFAULT,
ALTER COLUMN "driver" TYPE "lock_driver" USING "driver"::"lock_driver",
ALTER COLUMN "driver" SET DEFAULT 'mqtt';

-- AlterTable
ALTER TABLE "unlock_record" ADD COLUMN     "card_id" INTEGER,
ADD COLUMN     "credential_id" INTEGER,
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ALTER COLUMN "room_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "lock_command" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "type" "lock_command_type" NOT NULL,
    "state" "lock_command_state" NOT NULL DEFAULT 'queued',
    "subject" TEXT NOT NULL,
    "credential_id" INTEGER,
    "card_id" INTEGER,
    "args_box" BYTEA NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "error" TEXT NOT NULL DEFAULT '',
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lock_command_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "kind" "credential_kind" NOT NULL,
    "state" "credential_state" NOT NULL DEFAULT 'queued',
    "card_id" INTEGER,
    "passcode_id" INTEGER,
    "face_id" INTEGER,
    "stay_id" INTEGER,
    "code_hash" BYTEA,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "fail_reason" TEXT NOT NULL DEFAULT '',
    "confirmed_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoke_reason" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passcode" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "type" "passcode_type" NOT NULL,
    "code_box" BYTEA NOT NULL,
    "person" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "stay_id" INTEGER,
    "room_id" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "otp_counter" BIGINT,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "passcode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "face" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    "file_id" UUID,
    "guest_id" INTEGER,
    "consent_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "face_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "message_kind" NOT NULL,
    "lock_id" INTEGER,
    "room_id" INTEGER,
    "params" JSONB NOT NULL DEFAULT '{}',
    "count" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_link" (
    "hotel_id" INTEGER NOT NULL,
    "kind" "device_link_kind" NOT NULL,
    "settings_box" BYTEA NOT NULL,
    "access_hash" BYTEA,
    "last_error" TEXT NOT NULL DEFAULT '',
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_link_pkey" PRIMARY KEY ("hotel_id","kind")
);

-- CreateIndex
CREATE UNIQUE INDEX "lock_command_seq_key" ON "lock_command"("seq");

-- CreateIndex
CREATE INDEX "lock_command_lock_id_seq_idx" ON "lock_command"("lock_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "lock_command_hotel_id_credential_id_idx" ON "lock_command"("hotel_id", "credential_id");

-- CreateIndex
CREATE INDEX "lock_command_hotel_id_card_id_idx" ON "lock_command"("hotel_id", "card_id");

-- CreateIndex
CREATE INDEX "credential_hotel_id_stay_id_idx" ON "credential"("hotel_id", "stay_id");

-- CreateIndex
CREATE INDEX "credential_hotel_id_card_id_idx" ON "credential"("hotel_id", "card_id");

-- CreateIndex
CREATE INDEX "credential_hotel_id_passcode_id_idx" ON "credential"("hotel_id", "passcode_id");

-- CreateIndex
CREATE INDEX "credential_hotel_id_face_id_idx" ON "credential"("hotel_id", "face_id");

-- CreateIndex
CREATE INDEX "credential_lock_id_state_idx" ON "credential"("lock_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "credential_hotel_id_id_key" ON "credential"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "passcode_hotel_id_created_at_idx" ON "passcode"("hotel_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "passcode_hotel_id_stay_id_idx" ON "passcode"("hotel_id", "stay_id");

-- CreateIndex
CREATE UNIQUE INDEX "passcode_hotel_id_id_key" ON "passcode"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "face_hotel_id_id_key" ON "face"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "face_hotel_id_file_id_key" ON "face"("hotel_id", "file_id");

-- CreateIndex
CREATE INDEX "message_hotel_id_last_at_idx" ON "message"("hotel_id", "last_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "message_hotel_id_id_key" ON "message"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "unlock_record_hotel_id_at_id_idx" ON "unlock_record"("hotel_id", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_profile_id_fkey" FOREIGN KEY ("hotel_id", "profile_id") REFERENCES "card_profile"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_credential_id_fkey" FOREIGN KEY ("hotel_id", "credential_id") REFERENCES "credential"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_passcode_id_fkey" FOREIGN KEY ("hotel_id", "passcode_id") REFERENCES "passcode"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_face_id_fkey" FOREIGN KEY ("hotel_id", "face_id") REFERENCES "face"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_file_id_fkey" FOREIGN KEY ("hotel_id", "file_id") REFERENCES "stored_file"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_guest_id_fkey" FOREIGN KEY ("hotel_id", "guest_id") REFERENCES "guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_link" ADD CONSTRAINT "device_link_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A live code is unique per lock in overlapping periods; a code that a lock may still hold is not free again.
ALTER TABLE credential
  ADD CONSTRAINT credential_window CHECK (valid_to IS NULL OR valid_to > valid_from),
  ADD CONSTRAINT credential_of_one_thing CHECK (num_nonnulls(card_id, passcode_id, face_id) = 1),
  ADD CONSTRAINT credential_code_unique EXCLUDE USING gist (lock_id WITH =, code_hash WITH =, tstzrange(valid_from, valid_to) WITH &&)
    WHERE (code_hash IS NOT NULL AND state <> 'revoked');
-- One live row per thing and lock.
CREATE UNIQUE INDEX credential_one_per_card ON credential (lock_id, card_id) WHERE card_id IS NOT NULL AND state <> 'revoked';
CREATE UNIQUE INDEX credential_one_per_passcode ON credential (lock_id, passcode_id) WHERE passcode_id IS NOT NULL AND state <> 'revoked';
CREATE UNIQUE INDEX credential_one_per_face ON credential (lock_id, face_id) WHERE face_id IS NOT NULL AND state <> 'revoked';
CREATE INDEX credential_residual ON credential (hotel_id) WHERE state = 'revoking';
CREATE INDEX card_residual ON card (hotel_id) WHERE state = 'revoking';

-- What still has to go to a lock, in order.
CREATE INDEX lock_command_open ON lock_command (lock_id, seq) WHERE state IN ('queued', 'sent');
CREATE INDEX lock_command_due ON lock_command (next_try_at) WHERE state IN ('queued', 'sent');

CREATE UNIQUE INDEX message_one_open ON message (hotel_id, kind, coalesce(lock_id, 0)) WHERE resolved_at IS NULL;
-- Who opened which door: few records name a guest, so the index holds only those.
CREATE INDEX unlock_record_person ON unlock_record (hotel_id, stay_guest_id, at DESC, id DESC) WHERE stay_guest_id IS NOT NULL;

ALTER TABLE hotel ADD CONSTRAINT hotel_access_buffers CHECK (access_early_minutes BETWEEN 0 AND 1440 AND access_late_minutes BETWEEN 0 AND 1440);

-- Cards that were taken back and the doors they may still open: the one place where this is decided. A guest's card is
-- dead at a lock that refuses records of its sequence, or that was told to refuse its number; a card without a record of
-- its own, or one that needs to be on the lock's list, when the lock has dropped it.
CREATE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id
   WHERE c.state = 'revoking' AND NOT c.over_the_air
     AND ((c.kind = 'guest' AND l.guest_floor <= c.sequence
            AND EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND cr.room_id = l.room_id))
       OR (c.kind = 'universal' AND l.master_floor <= c.sequence))
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.card_id = c.id AND k.type = 'block_card' AND k.state = 'acknowledged')
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id
   WHERE c.state = 'revoking' AND t.state <> 'revoked' AND (c.over_the_air OR l.master_floor <= c.sequence);

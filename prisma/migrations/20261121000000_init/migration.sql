-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "file_kind" AS ENUM ('room', 'avatar');

-- CreateEnum
CREATE TYPE "message_channel" AS ENUM ('sms', 'mail');

-- CreateEnum
CREATE TYPE "message_state" AS ENUM ('queued', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'administrator', 'staff');

-- CreateEnum
CREATE TYPE "gender" AS ENUM ('male', 'female', 'other');

-- CreateEnum
CREATE TYPE "session_end" AS ENUM ('signed_out', 'password_changed', 'frozen', 'revoked');

-- CreateEnum
CREATE TYPE "order_type" AS ENUM ('room', 'renewal', 'exchange', 'deposit', 'payment', 'refund');

-- CreateEnum
CREATE TYPE "ledger_account" AS ENUM ('receivable', 'revenue', 'deposits', 'cash', 'card', 'transfer', 'other');

-- CreateEnum
CREATE TYPE "payment_channel" AS ENUM ('cash', 'card', 'transfer', 'other');

-- CreateEnum
CREATE TYPE "line_kind" AS ENUM ('usual', 'weekend', 'special', 'hour', 'month', 'year', 'renewal', 'agreed');

-- CreateEnum
CREATE TYPE "room_condition" AS ENUM ('clean', 'dirty');

-- CreateEnum
CREATE TYPE "unlock_style" AS ENUM ('card', 'passcode', 'face', 'remote', 'key', 'inside', 'unknown');

-- CreateEnum
CREATE TYPE "stay_unit" AS ENUM ('hour', 'day', 'month', 'year');

-- CreateEnum
CREATE TYPE "stay_state" AS ENUM ('reserved', 'checked_in', 'checked_out', 'cancelled');

-- CreateEnum
CREATE TYPE "occupancy_kind" AS ENUM ('stay', 'maintenance');

-- CreateEnum
CREATE TYPE "occupancy_state" AS ENUM ('held', 'in_house', 'ended', 'cancelled');

-- CreateEnum
CREATE TYPE "document_type" AS ENUM ('id_card', 'passport', 'driving_licence', 'residence_permit', 'other');

-- CreateEnum
CREATE TYPE "customer_kind" AS ENUM ('person', 'company');

-- CreateTable
CREATE TABLE "hotel" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "tel" TEXT NOT NULL DEFAULT '',
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "time_zone" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "check_in_time" TEXT NOT NULL DEFAULT '14:00',
    "check_out_time" TEXT NOT NULL DEFAULT '12:00',
    "day_start_time" TEXT NOT NULL DEFAULT '05:00',
    "weekend_nights" INTEGER[] DEFAULT ARRAY[5, 6]::INTEGER[],
    "breakfast_from" TEXT NOT NULL DEFAULT '07:00',
    "breakfast_to" TEXT NOT NULL DEFAULT '10:00',
    "breakfast_price_minor" INTEGER NOT NULL DEFAULT 0,
    "wifi_name" TEXT NOT NULL DEFAULT '',
    "wifi_password" TEXT NOT NULL DEFAULT '',
    "notice" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hotel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hotel_state" (
    "hotel_id" INTEGER NOT NULL,
    "board_version" BIGINT NOT NULL DEFAULT 1,
    "audit_seq" BIGINT NOT NULL DEFAULT 0,
    "audit_hash" BYTEA NOT NULL,

    CONSTRAINT "hotel_state_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "stored_file" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "file_kind" NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_file_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" INTEGER,
    "actor_name" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbound_message" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "channel" "message_channel" NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "body_box" BYTEA NOT NULL,
    "state" "message_state" NOT NULL DEFAULT 'queued',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbound_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator" (
    "id" SERIAL NOT NULL,
    "mobile" TEXT,
    "email" TEXT,
    "name" TEXT NOT NULL,
    "gender" "gender",
    "nationality" TEXT,
    "birth_date" DATE,
    "avatar_file_id" UUID,
    "password_hash" TEXT NOT NULL,
    "password_changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "language" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "role" "role" NOT NULL,
    "capabilities" TEXT[],
    "api_key_auth" BOOLEAN NOT NULL DEFAULT false,
    "frozen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room_grant" (
    "hotel_id" INTEGER NOT NULL,
    "membership_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "room_grant_pkey" PRIMARY KEY ("membership_id","room_id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "door" TEXT NOT NULL DEFAULT 'console',
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" "session_end",

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "captcha" (
    "id" UUID NOT NULL,
    "answer_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "captcha_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "type" "order_type" NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "channel" "payment_channel",
    "refunds_order_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "operator_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_line" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "occupancy_id" INTEGER,
    "kind" "line_kind" NOT NULL,
    "date" DATE NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "quantity" INTEGER NOT NULL,
    "unit_minor" INTEGER NOT NULL,
    "amount_minor" INTEGER NOT NULL,

    CONSTRAINT "order_line_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "account" "ledger_account" NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room_group" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "sort" INTEGER NOT NULL,

    CONSTRAINT "room_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "name" TEXT NOT NULL,
    "remark_name" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "bulletin" TEXT NOT NULL DEFAULT '',
    "notice" TEXT NOT NULL DEFAULT '',
    "floor" INTEGER NOT NULL DEFAULT 0,
    "sort" INTEGER NOT NULL DEFAULT 0,
    "condition" "room_condition" NOT NULL DEFAULT 'clean',
    "picture_file_id" UUID,
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "room_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lock" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "mac" TEXT NOT NULL,
    "bluetooth_name" TEXT NOT NULL DEFAULT '',
    "driver" TEXT NOT NULL DEFAULT 'mqtt',
    "power" INTEGER,
    "online" BOOLEAN NOT NULL DEFAULT false,
    "firmware" TEXT NOT NULL DEFAULT '',
    "last_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "lock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room_price" (
    "room_id" INTEGER NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "usual_minor" INTEGER NOT NULL,
    "weekend_minor" INTEGER NOT NULL,
    "renewal_minor" INTEGER,
    "hour_minor" INTEGER,
    "month_minor" INTEGER,
    "year_minor" INTEGER,

    CONSTRAINT "room_price_pkey" PRIMARY KEY ("room_id")
);

-- CreateTable
CREATE TABLE "room_price_date" (
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "price_minor" INTEGER NOT NULL,

    CONSTRAINT "room_price_date_pkey" PRIMARY KEY ("room_id","date")
);

-- CreateTable
CREATE TABLE "unlock_record" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "lock_seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "style" "unlock_style" NOT NULL,
    "success" BOOLEAN NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "source" TEXT NOT NULL DEFAULT 'lock',
    "operator_id" INTEGER,
    "stay_guest_id" INTEGER,

    CONSTRAINT "unlock_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guest" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "gender" "gender",
    "nationality" TEXT,
    "birth_date" DATE,
    "document_type" "document_type",
    "document_number_box" BYTEA,
    "document_number_hash" BYTEA,
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "customer_kind" NOT NULL DEFAULT 'person',
    "name" TEXT NOT NULL,
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "company" TEXT NOT NULL DEFAULT '',
    "note" TEXT NOT NULL DEFAULT '',
    "frozen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stay" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "state" "stay_state" NOT NULL,
    "unit" "stay_unit" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_in_at" TIMESTAMPTZ(3),
    "checked_out_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "breakfast" BOOLEAN NOT NULL DEFAULT false,
    "other_information" TEXT NOT NULL DEFAULT '',
    "disable_old_cards" BOOLEAN NOT NULL DEFAULT true,
    "id_card_match" BOOLEAN NOT NULL DEFAULT false,
    "customer_id" INTEGER,
    "created_by_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occupancy" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "kind" "occupancy_kind" NOT NULL DEFAULT 'stay',
    "state" "occupancy_state" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "occupancy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stay_guest" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER NOT NULL,
    "guest_id" INTEGER NOT NULL,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stay_guest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "stored_file_hotel_id_id_key" ON "stored_file"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "audit_entry_hotel_id_entity_entity_id_idx" ON "audit_entry"("hotel_id", "entity", "entity_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_hotel_id_seq_key" ON "audit_entry"("hotel_id", "seq");

-- CreateIndex
CREATE INDEX "outbound_message_state_next_try_at_idx" ON "outbound_message"("state", "next_try_at");

-- CreateIndex
CREATE INDEX "outbound_message_hotel_id_created_at_idx" ON "outbound_message"("hotel_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "operator_mobile_key" ON "operator"("mobile");

-- CreateIndex
CREATE UNIQUE INDEX "operator_email_key" ON "operator"("email");

-- CreateIndex
CREATE INDEX "membership_operator_id_idx" ON "membership"("operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_hotel_id_operator_id_key" ON "membership"("hotel_id", "operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_hotel_id_id_key" ON "membership"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "room_grant_hotel_id_room_id_idx" ON "room_grant"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_operator_id_ended_at_idx" ON "session"("operator_id", "ended_at");

-- CreateIndex
CREATE INDEX "session_hotel_id_operator_id_idx" ON "session"("hotel_id", "operator_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "captcha_expires_at_idx" ON "captcha"("expires_at");

-- CreateIndex
CREATE INDEX "recovery_code_operator_id_created_at_idx" ON "recovery_code"("operator_id", "created_at");

-- CreateIndex
CREATE INDEX "orders_hotel_id_stay_id_idx" ON "orders"("hotel_id", "stay_id");

-- CreateIndex
CREATE INDEX "orders_hotel_id_created_at_id_idx" ON "orders"("hotel_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_hotel_id_id_key" ON "orders"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "order_line_hotel_id_order_id_idx" ON "order_line"("hotel_id", "order_id");

-- CreateIndex
CREATE INDEX "order_line_hotel_id_occupancy_id_idx" ON "order_line"("hotel_id", "occupancy_id");

-- CreateIndex
CREATE INDEX "ledger_entry_hotel_id_order_id_idx" ON "ledger_entry"("hotel_id", "order_id");

-- CreateIndex
CREATE INDEX "ledger_entry_hotel_id_account_created_at_idx" ON "ledger_entry"("hotel_id", "account", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "room_group_hotel_id_id_key" ON "room_group"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "room_group_hotel_id_name_key" ON "room_group"("hotel_id", "name");

-- CreateIndex
CREATE INDEX "room_hotel_id_group_id_idx" ON "room"("hotel_id", "group_id");

-- CreateIndex
CREATE UNIQUE INDEX "room_hotel_id_id_key" ON "room"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_id_key" ON "lock"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_room_id_key" ON "lock"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_mac_key" ON "lock"("hotel_id", "mac");

-- CreateIndex
CREATE UNIQUE INDEX "room_price_hotel_id_room_id_key" ON "room_price"("hotel_id", "room_id");

-- CreateIndex
CREATE INDEX "room_price_date_hotel_id_room_id_idx" ON "room_price_date"("hotel_id", "room_id");

-- CreateIndex
CREATE INDEX "unlock_record_hotel_id_room_id_at_id_idx" ON "unlock_record"("hotel_id", "room_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "unlock_record_lock_id_lock_seq_key" ON "unlock_record"("lock_id", "lock_seq");

-- CreateIndex
CREATE INDEX "guest_hotel_id_document_number_hash_idx" ON "guest"("hotel_id", "document_number_hash");

-- CreateIndex
CREATE INDEX "guest_hotel_id_name_idx" ON "guest"("hotel_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "guest_hotel_id_id_key" ON "guest"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "customer_hotel_id_name_idx" ON "customer"("hotel_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "customer_hotel_id_id_key" ON "customer"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "stay_hotel_id_state_ends_at_idx" ON "stay"("hotel_id", "state", "ends_at");

-- CreateIndex
CREATE INDEX "stay_hotel_id_starts_at_idx" ON "stay"("hotel_id", "starts_at");

-- CreateIndex
CREATE UNIQUE INDEX "stay_hotel_id_id_key" ON "stay"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "occupancy_hotel_id_room_id_starts_at_idx" ON "occupancy"("hotel_id", "room_id", "starts_at");

-- CreateIndex
CREATE INDEX "occupancy_hotel_id_stay_id_idx" ON "occupancy"("hotel_id", "stay_id");

-- CreateIndex
CREATE UNIQUE INDEX "occupancy_hotel_id_id_key" ON "occupancy"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "stay_guest_hotel_id_guest_id_idx" ON "stay_guest"("hotel_id", "guest_id");

-- CreateIndex
CREATE UNIQUE INDEX "stay_guest_hotel_id_id_key" ON "stay_guest"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stay_guest_stay_id_guest_id_key" ON "stay_guest"("stay_id", "guest_id");

-- AddForeignKey
ALTER TABLE "hotel_state" ADD CONSTRAINT "hotel_state_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_grant" ADD CONSTRAINT "room_grant_hotel_id_membership_id_fkey" FOREIGN KEY ("hotel_id", "membership_id") REFERENCES "membership"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_grant" ADD CONSTRAINT "room_grant_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_hotel_id_refunds_order_id_fkey" FOREIGN KEY ("hotel_id", "refunds_order_id") REFERENCES "orders"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_hotel_id_order_id_fkey" FOREIGN KEY ("hotel_id", "order_id") REFERENCES "orders"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_hotel_id_occupancy_id_fkey" FOREIGN KEY ("hotel_id", "occupancy_id") REFERENCES "occupancy"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_hotel_id_order_id_fkey" FOREIGN KEY ("hotel_id", "order_id") REFERENCES "orders"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_group" ADD CONSTRAINT "room_group_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_group_id_fkey" FOREIGN KEY ("hotel_id", "group_id") REFERENCES "room_group"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_picture_file_id_fkey" FOREIGN KEY ("hotel_id", "picture_file_id") REFERENCES "stored_file"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price" ADD CONSTRAINT "room_price_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price_date" ADD CONSTRAINT "room_price_date_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unlock_record" ADD CONSTRAINT "unlock_record_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest" ADD CONSTRAINT "guest_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay" ADD CONSTRAINT "stay_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay" ADD CONSTRAINT "stay_hotel_id_customer_id_fkey" FOREIGN KEY ("hotel_id", "customer_id") REFERENCES "customer"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occupancy" ADD CONSTRAINT "occupancy_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occupancy" ADD CONSTRAINT "occupancy_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_guest" ADD CONSTRAINT "stay_guest_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_guest" ADD CONSTRAINT "stay_guest_hotel_id_guest_id_fkey" FOREIGN KEY ("hotel_id", "guest_id") REFERENCES "guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('queued', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "export_state" AS ENUM ('queued', 'running', 'done', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "withdrawal_account_type" AS ENUM ('bank', 'alipay', 'wechat', 'paypal', 'other');

-- AlterEnum
ALTER TYPE "ledger_account" ADD VALUE 'owner_funds';

-- AlterEnum
ALTER TYPE "message_kind" ADD VALUE 'webhook_failing';

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "order_type" ADD VALUE 'recharge';
ALTER TYPE "order_type" ADD VALUE 'withdrawal';

-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "guest" ADD COLUMN     "documents_erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "retention_days" INTEGER;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "destination" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "room_price" ADD COLUMN     "template_id" INTEGER;

-- CreateTable
CREATE TABLE "encoder" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "device_no" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" INTEGER NOT NULL,
    "operator_id" INTEGER,
    "customer_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "encoder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_address" TEXT NOT NULL DEFAULT '',
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "events" TEXT[],
    "disabled_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'queued',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_status" INTEGER,
    "last_error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "list" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "state" "export_state" NOT NULL DEFAULT 'queued',
    "rows_done" INTEGER NOT NULL DEFAULT 0,
    "rows_total" INTEGER,
    "size_bytes" BIGINT,
    "error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "alive_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "withdrawal_account" (
    "hotel_id" INTEGER NOT NULL,
    "type" "withdrawal_account_type" NOT NULL,
    "name" TEXT NOT NULL,
    "bank" TEXT NOT NULL DEFAULT '',
    "number_box" BYTEA NOT NULL,
    "number_end" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "withdrawal_account_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "night_audit" (
    "hotel_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "figures" JSONB NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "operator_id" INTEGER,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "night_audit_pkey" PRIMARY KEY ("hotel_id","date")
);

-- CreateTable
CREATE TABLE "price_template" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "usual_minor" INTEGER NOT NULL,
    "weekend_minor" INTEGER NOT NULL,
    "renewal_minor" INTEGER,
    "hour_minor" INTEGER,
    "month_minor" INTEGER,
    "year_minor" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "price_template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_template_date" (
    "hotel_id" INTEGER NOT NULL,
    "template_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "price_minor" INTEGER NOT NULL,

    CONSTRAINT "price_template_date_pkey" PRIMARY KEY ("template_id","date")
);

-- CreateTable
CREATE TABLE "breakfast" (
    "hotel_id" INTEGER NOT NULL,
    "stay_guest_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "operator_id" INTEGER,

    CONSTRAINT "breakfast_pkey" PRIMARY KEY ("stay_guest_id","date")
);

-- CreateIndex
CREATE UNIQUE INDEX "encoder_hotel_id_id_key" ON "encoder"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "encoder_hotel_id_device_no_key" ON "encoder"("hotel_id", "device_no");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_id_key" ON "api_key"("key_id");

-- CreateIndex
CREATE INDEX "api_key_hotel_id_created_at_idx" ON "api_key"("hotel_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hotel_id_id_key" ON "api_key"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_hotel_id_id_key" ON "webhook"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_hotel_id_webhook_id_created_at_idx" ON "webhook_delivery"("hotel_id", "webhook_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "export_hotel_id_operator_id_created_at_idx" ON "export"("hotel_id", "operator_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "export_state_alive_at_idx" ON "export"("state", "alive_at");

-- CreateIndex
CREATE UNIQUE INDEX "price_template_hotel_id_id_key" ON "price_template"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "price_template_hotel_id_name_key" ON "price_template"("hotel_id", "name");

-- CreateIndex
CREATE INDEX "price_template_date_hotel_id_template_id_idx" ON "price_template_date"("hotel_id", "template_id");

-- CreateIndex
CREATE INDEX "breakfast_hotel_id_date_idx" ON "breakfast"("hotel_id", "date");

-- AddForeignKey
ALTER TABLE "encoder" ADD CONSTRAINT "encoder_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "encoder" ADD CONSTRAINT "encoder_hotel_id_customer_id_fkey" FOREIGN KEY ("hotel_id", "customer_id") REFERENCES "customer"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_hotel_id_webhook_id_fkey" FOREIGN KEY ("hotel_id", "webhook_id") REFERENCES "webhook"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export" ADD CONSTRAINT "export_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "withdrawal_account" ADD CONSTRAINT "withdrawal_account_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "night_audit" ADD CONSTRAINT "night_audit_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price" ADD CONSTRAINT "room_price_hotel_id_template_id_fkey" FOREIGN KEY ("hotel_id", "template_id") REFERENCES "price_template"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_template" ADD CONSTRAINT "price_template_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_template_date" ADD CONSTRAINT "price_template_date_hotel_id_template_id_fkey" FOREIGN KEY ("hotel_id", "template_id") REFERENCES "price_template"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "breakfast" ADD CONSTRAINT "breakfast_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE encoder
  ADD CONSTRAINT encoder_type CHECK (type IN (1, 2, 3)),
  ADD CONSTRAINT encoder_one_holder CHECK (operator_id IS NULL OR customer_id IS NULL);
ALTER TABLE price_template ADD CONSTRAINT price_template_positive CHECK (
  deposit_minor >= 0 AND usual_minor > 0 AND weekend_minor > 0 AND coalesce(renewal_minor, 1) > 0
  AND coalesce(hour_minor, 1) > 0 AND coalesce(month_minor, 1) > 0 AND coalesce(year_minor, 1) > 0);
ALTER TABLE price_template_date ADD CONSTRAINT price_template_date_positive CHECK (price_minor > 0);
ALTER TABLE hotel ADD CONSTRAINT hotel_retention CHECK (retention_days BETWEEN 1 AND 3650);
-- What sweeps look for.
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_try_at) WHERE state = 'queued';
CREATE INDEX customer_live_name ON customer (hotel_id, lower(name), id) WHERE removed_at IS NULL;

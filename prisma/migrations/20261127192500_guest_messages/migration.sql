-- Messages to guests: what a hotel sends, the texts that it wrote itself, and each message with where it stands.

-- CreateEnum
CREATE TYPE "guest_message_event" AS ENUM ('reserved', 'changed', 'cancelled', 'before_arrival', 'checked_in', 'code_changed', 'extended', 'checked_out');

-- CreateEnum
CREATE TYPE "guest_message_state" AS ENUM ('waiting', 'queued', 'sent', 'failed', 'to_hand_over', 'handed_over', 'skipped');

-- CreateEnum
CREATE TYPE "guest_message_skip" AS ENUM ('opted_out', 'no_address', 'outdated', 'included');

-- AlterEnum
ALTER TYPE "outgoing_message_channel" ADD VALUE 'webhook';

-- AlterEnum
ALTER TYPE "outgoing_message_state" ADD VALUE 'to_hand_over';

-- AlterEnum
ALTER TYPE "alert_kind" ADD VALUE 'guest_message_failed';

-- AlterTable
ALTER TABLE "guest" ADD COLUMN     "no_messages" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "guest_link" ADD COLUMN     "token_box" BYTEA;

-- CreateTable
CREATE TABLE "guest_message_settings" (
    "hotel_id" INTEGER NOT NULL,
    "events" "guest_message_event"[],
    "channels" "outgoing_message_channel"[],
    "hours_before" INTEGER NOT NULL DEFAULT 48,
    "quiet_from" TEXT,
    "quiet_to" TEXT,
    "webhook_url" TEXT,
    "webhook_secret_box" BYTEA,

    CONSTRAINT "guest_message_settings_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "guest_message_text" (
    "hotel_id" INTEGER NOT NULL,
    "event" "guest_message_event" NOT NULL,
    "language" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "guest_message_text_pkey" PRIMARY KEY ("hotel_id","event","language")
);

-- CreateTable
CREATE TABLE "guest_message" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER NOT NULL,
    "stay_guest_id" INTEGER NOT NULL,
    "event" "guest_message_event" NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "passcode_id" INTEGER,
    "state" "guest_message_state" NOT NULL DEFAULT 'waiting',
    "skip" "guest_message_skip",
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "channel" "outgoing_message_channel",
    "message_id" UUID,
    "operator_id" INTEGER,
    "by_hand" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_message_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "guest_message_message_id_key" ON "guest_message"("message_id");

-- CreateIndex
CREATE UNIQUE INDEX "guest_message_hotel_id_id_key" ON "guest_message"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "guest_message_stay_id_event_occurred_at_key" ON "guest_message"("stay_id", "event", "occurred_at");

-- CreateIndex
CREATE INDEX "guest_message_stay_guest_id_idx" ON "guest_message"("stay_guest_id");

-- AddForeignKey
ALTER TABLE "guest_message_settings" ADD CONSTRAINT "guest_message_settings_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message_text" ADD CONSTRAINT "guest_message_text_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "outgoing_message"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "guest_message_settings"
  ADD CONSTRAINT "guest_message_settings_quiet" CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  ADD CONSTRAINT "guest_message_settings_webhook" CHECK ((webhook_url IS NULL) = (webhook_secret_box IS NULL)),
  ADD CONSTRAINT "guest_message_settings_hours" CHECK (hours_before BETWEEN 1 AND 336);
ALTER TABLE "guest_message" ADD CONSTRAINT "guest_message_skipped" CHECK ((skip IS NOT NULL) = (state = 'skipped'));

-- What the job looks for every few seconds.
CREATE INDEX guest_message_waiting ON guest_message (due_at) WHERE state = 'waiting';

CREATE TRIGGER guest_message_insert_notice AFTER INSERT ON guest_message REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestMessages');
CREATE TRIGGER guest_message_update_notice AFTER UPDATE ON guest_message REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestMessages');
CREATE TRIGGER guest_message_delete_notice AFTER DELETE ON guest_message REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('guestMessages');

DO $$
DECLARE
  written text;
BEGIN
  FOREACH written IN ARRAY ARRAY['guest_message_settings', 'guest_message_text'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(''settings'')', written || '_insert_notice', written);
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING NEW TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(''settings'')', written || '_update_notice', written);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION notify_statement(''settings'')', written || '_delete_notice', written);
  END LOOP;
END $$;

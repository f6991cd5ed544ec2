-- Calendars of busy periods, which calendar programs and channel sites read with a secret address.

-- CreateTable
CREATE TABLE "calendar_feed" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "room_id" INTEGER,
    "shows_names" BOOLEAN NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "content_tag" TEXT NOT NULL DEFAULT '',
    "changed_at" TIMESTAMPTZ(3),
    "last_read_at" TIMESTAMPTZ(3),
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "calendar_feed_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feed_token_hash_key" ON "calendar_feed"("token_hash");

-- CreateIndex
CREATE INDEX "calendar_feed_hotel_id_created_at_idx" ON "calendar_feed"("hotel_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feed_hotel_id_id_key" ON "calendar_feed"("hotel_id", "id");

-- AddForeignKey
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- That a program reads a calendar is no news for open consoles.
CREATE TRIGGER calendar_feed_insert_notice AFTER INSERT ON calendar_feed REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('integrations');
CREATE TRIGGER calendar_feed_update_notice AFTER UPDATE ON calendar_feed FOR EACH ROW
  WHEN (ROW(OLD.id, OLD.hotel_id, OLD.name, OLD.room_id, OLD.shows_names, OLD.token_hash, OLD.created_by_id, OLD.created_at, OLD.revoked_at)
    IS DISTINCT FROM ROW(NEW.id, NEW.hotel_id, NEW.name, NEW.room_id, NEW.shows_names, NEW.token_hash, NEW.created_by_id, NEW.created_at, NEW.revoked_at))
  EXECUTE FUNCTION notify_row('integrations');
CREATE TRIGGER calendar_feed_delete_notice AFTER DELETE ON calendar_feed REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('integrations');

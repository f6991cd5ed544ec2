-- Sealed lists of rooms, guests and keys, with which a hotel works while the console is away.

-- CreateTable
CREATE TABLE "roster_settings" (
    "hotel_id" INTEGER NOT NULL,
    "recipients" TEXT[],
    "time" TEXT NOT NULL,
    "keep" INTEGER NOT NULL,

    CONSTRAINT "roster_settings_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "roster" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "night" DATE,
    "file_name" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "rooms" INTEGER NOT NULL,
    "guests" INTEGER NOT NULL,
    "copied_at" TIMESTAMPTZ(3),
    "copy_error" TEXT,
    "made_by_id" INTEGER,

    CONSTRAINT "roster_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "roster_hotel_id_made_at_idx" ON "roster"("hotel_id", "made_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "roster_hotel_id_id_key" ON "roster"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "roster_hotel_id_night_key" ON "roster"("hotel_id", "night");

-- AddForeignKey
ALTER TABLE "roster_settings" ADD CONSTRAINT "roster_settings_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "roster" ADD CONSTRAINT "roster_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "roster" ADD CONSTRAINT "roster_made_by_id_fkey" FOREIGN KEY ("made_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TRIGGER roster_insert_notice AFTER INSERT ON roster REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');
CREATE TRIGGER roster_update_notice AFTER UPDATE ON roster REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');
CREATE TRIGGER roster_delete_notice AFTER DELETE ON roster REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');
CREATE TRIGGER roster_settings_insert_notice AFTER INSERT ON roster_settings REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');
CREATE TRIGGER roster_settings_update_notice AFTER UPDATE ON roster_settings REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');
CREATE TRIGGER roster_settings_delete_notice AFTER DELETE ON roster_settings REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('exports');

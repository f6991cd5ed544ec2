-- Doors that belong to no room: entrances, lift floors, gym, parking, staff areas.

-- CreateEnum
CREATE TYPE "door_kind" AS ENUM ('entrance', 'lift', 'facility', 'parking', 'staff', 'other');

-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "door_id" INTEGER;

-- AlterTable
ALTER TABLE "unlock_record" ADD COLUMN     "door_id" INTEGER;

-- CreateTable
CREATE TABLE "door" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "door_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "door_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "door_hotel_id_id_key" ON "door"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_door_id_key" ON "lock"("hotel_id", "door_id");

-- AddForeignKey
ALTER TABLE "door" ADD CONSTRAINT "door_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_door_id_fkey" FOREIGN KEY ("hotel_id", "door_id") REFERENCES "door"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE UNIQUE INDEX door_name ON door (hotel_id, lower(name)) WHERE deleted_at IS NULL;

-- A lock is on one door: a room's or a common one.
ALTER TABLE lock ADD CONSTRAINT lock_on_one_door CHECK (room_id IS NULL OR door_id IS NULL);

CREATE TRIGGER door_insert_notice AFTER INSERT ON door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER door_update_notice AFTER UPDATE ON door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER door_delete_notice AFTER DELETE ON door REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');

-- The notice of a lock compares its columns by name, so it is made anew with the door.
DROP TRIGGER lock_update_notice ON lock;
DO $$
DECLARE
  before text;
  after text;
BEGIN
  SELECT string_agg(format('OLD.%I', column_name), ', ' ORDER BY ordinal_position),
         string_agg(format('NEW.%I', column_name), ', ' ORDER BY ordinal_position)
    INTO before, after
    FROM information_schema.columns
   WHERE table_schema = current_schema() AND table_name = 'lock' AND column_name <> ALL
     (ARRAY['last_seen_at', 'drift_seconds', 'otp_next', 'otp_floor', 'event_seq', 'event_log', 'event_base']);
  EXECUTE format('CREATE TRIGGER lock_update_notice AFTER UPDATE ON lock FOR EACH ROW WHEN (ROW(%s) IS DISTINCT FROM ROW(%s))
    EXECUTE FUNCTION notify_row(''locks'')', before, after);
END $$;

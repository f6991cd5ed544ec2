-- Opening the door of an occupied room has a reason, and an opening that waits can be cancelled.

-- CreateEnum
CREATE TYPE "opening_reason" AS ENUM ('lockout', 'maintenance', 'emergency', 'guest_wish', 'other', 'home_assistant', 'old_client', 'api');

-- AlterEnum
ALTER TYPE "lock_command_state" ADD VALUE 'cancelled';

-- AlterTable
ALTER TABLE "lock_command" ADD COLUMN     "opening_note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "opening_reason" "opening_reason";

-- AlterTable
ALTER TABLE "unlock_record" ADD COLUMN     "opening_note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "opening_reason" "opening_reason";

-- Few records have words of staff; erasing a person looks through those alone.
CREATE INDEX unlock_record_opening_note ON unlock_record (hotel_id) WHERE opening_note <> '';

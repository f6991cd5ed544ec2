-- A staff member may have all rooms of the hotel, those created later too.

-- AlterTable
ALTER TABLE "membership" ADD COLUMN     "all_rooms" BOOLEAN NOT NULL DEFAULT false;

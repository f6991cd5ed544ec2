-- A message to a guest that waits for its next try says what it was written from, so that it is written again if its link, its
-- room or one of its codes has ended meanwhile.

-- AlterTable
ALTER TABLE "guest_message" ADD COLUMN     "written_from" JSONB;

-- Days and hours of staff cards, and since when a lock may still have others.

-- AlterTable
ALTER TABLE "card" ADD COLUMN     "hours" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "hours_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "hours_cut" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "credential_hours_cut" ON "credential" ("hotel_id") WHERE "hours_cut";

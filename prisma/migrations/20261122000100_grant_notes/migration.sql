-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "note" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "room_grant" ADD COLUMN     "id" SERIAL NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "room_grant_id_key" ON "room_grant"("id");

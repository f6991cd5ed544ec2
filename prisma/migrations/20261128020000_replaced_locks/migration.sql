-- What waited for a lock that was replaced ends with this reason.
ALTER TYPE "lock_error" ADD VALUE 'replaced';

-- AlterTable
ALTER TABLE "lock" ADD COLUMN     "replaced_by_id" INTEGER;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_replaced_by_id_fkey" FOREIGN KEY ("hotel_id", "replaced_by_id") REFERENCES "lock"("hotel_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

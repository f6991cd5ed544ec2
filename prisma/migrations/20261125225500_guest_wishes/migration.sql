-- What guests ask for and do themselves on their page, as far as the hotel allows it.

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "guest_asks_late" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "guest_checks_out" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "guest_link" ADD COLUMN     "late_declined_at" TIMESTAMPTZ(3),
ADD COLUMN     "late_until" TIMESTAMPTZ(3);

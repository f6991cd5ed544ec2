-- Guests check in on their page only if somebody who may give out door codes made or confirmed the booking.

-- AlterTable
ALTER TABLE "stay" ADD COLUMN     "booking_unconfirmed" BOOLEAN NOT NULL DEFAULT false;

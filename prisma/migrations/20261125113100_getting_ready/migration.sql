-- A new hotel has a list of first steps until its owner closes it; a hotel that exists needs none.

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "getting_ready" BOOLEAN NOT NULL DEFAULT false;

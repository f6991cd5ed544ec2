-- An address that somebody entered who may not give out door codes gets none until somebody who may confirms it.

-- AlterTable
ALTER TABLE "guest" ADD COLUMN     "email_unconfirmed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mobile_unconfirmed" BOOLEAN NOT NULL DEFAULT false;

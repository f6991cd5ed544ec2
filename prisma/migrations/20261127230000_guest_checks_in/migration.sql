-- Guests check in on their page, unless the desk has undone a check-in of theirs.

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "guest_checks_in" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "stay" ADD COLUMN     "check_in_undone" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "checked_in_by_guest" BOOLEAN NOT NULL DEFAULT false;

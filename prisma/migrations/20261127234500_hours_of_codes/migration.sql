-- Days and hours of codes for staff.

-- AlterTable
ALTER TABLE "passcode" ADD COLUMN     "hours" JSONB NOT NULL DEFAULT '[]';

-- A message with a door code that was handed over stores which code it is, so that it is deleted some time after the stay, and
-- with its guest, whatever their number is then.

-- AlterTable
ALTER TABLE "outgoing_message" ADD COLUMN     "passcode_id" INTEGER;

-- A check-in can be undone. It records the last folio entry from before it, its own last one, and the planned departure, so
-- that the undo finds what it wrote and whether anything followed. Empty for check-ins from before this migration, which
-- can't be undone.
ALTER TYPE "revoke_reason" ADD VALUE 'check_in_undone';

ALTER TABLE "stay" ADD COLUMN     "check_in_after_entry_id" INTEGER,
ADD COLUMN     "check_in_last_entry_id" INTEGER,
ADD COLUMN     "check_in_ends_at" TIMESTAMPTZ(3);

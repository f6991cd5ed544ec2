-- A door's issue sequence can be started over; cards written before no longer count for it.
ALTER TABLE "lock" ADD COLUMN     "sequence_from" TIMESTAMPTZ(3);
-- The highest sequence that was ever issued for a lock bounds what that lock may say it saw.
CREATE INDEX card_sequence_of_lock ON card (lock_number, sequence DESC) WHERE lock_number IS NOT NULL;

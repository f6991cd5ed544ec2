-- A reservation whose guests didn't come is over like a cancelled one, but in a state of its own; and the entry that takes
-- a refund back. The next migration uses the new words, which it can only do in another transaction.
ALTER TYPE "stay_state" ADD VALUE 'no_show';
ALTER TYPE "folio_entry_type" ADD VALUE 'reversal';

ALTER TABLE "stay" ADD COLUMN "ended_entry_ids" INTEGER[];

-- A lock lost what it knew, or may have, and has not confirmed its keys since.
ALTER TABLE "lock" ADD COLUMN     "reset_at" TIMESTAMPTZ(3);

-- It may take one-time codes again that were used before it lost its memory.
ALTER TYPE "message_kind" ADD VALUE 'codes_again';

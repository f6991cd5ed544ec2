-- What guests' pages cause again and again has an audit entry an hour, with a count of what happened between.

-- AlterTable
ALTER TABLE "guest_link" ADD COLUMN     "late_entry_at" TIMESTAMPTZ(3),
ADD COLUMN     "lates_since_entry" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "proof_entry_at" TIMESTAMPTZ(3),
ADD COLUMN     "proofs_since_entry" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "guest_link_device_token_hash_idx" ON "guest_link_device"("token_hash");

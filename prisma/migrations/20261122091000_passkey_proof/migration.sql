-- A passkey shows that the operator is still the one at the desk: what it signs belongs to that session alone.
ALTER TYPE "challenge_purpose" ADD VALUE 'passkey_proof';

ALTER TABLE "login_challenge" ADD COLUMN "session_id" UUID;

-- CreateIndex
CREATE INDEX "login_challenge_session_id_idx" ON "login_challenge"("session_id");

-- AddForeignKey
ALTER TABLE "login_challenge" ADD CONSTRAINT "login_challenge_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

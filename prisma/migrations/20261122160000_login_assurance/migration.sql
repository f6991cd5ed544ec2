-- A session knows what opened it: one that a password opened ends when its operator gets a second factor.
ALTER TYPE "session_end" ADD VALUE 'two_step_changed';
ALTER TYPE "session_end" ADD VALUE 'too_many';

CREATE TABLE "known_device" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_device_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "session" ADD COLUMN     "device_id" UUID,
ADD COLUMN     "factors" INTEGER NOT NULL DEFAULT 1;

CREATE UNIQUE INDEX "known_device_operator_id_token_hash_key" ON "known_device"("operator_id", "token_hash");

CREATE INDEX "session_device_id_idx" ON "session"("device_id");

ALTER TABLE "session" ADD CONSTRAINT "session_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "known_device"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "known_device" ADD CONSTRAINT "known_device_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

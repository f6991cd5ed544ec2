-- CreateEnum
CREATE TYPE "two_step_policy" AS ENUM ('optional', 'administrators', 'everyone');

-- CreateEnum
CREATE TYPE "challenge_purpose" AS ENUM ('second_factor', 'passkey_login', 'totp_setup', 'passkey_setup');

-- AlterTable
ALTER TABLE "hotel" ADD COLUMN     "two_step" "two_step_policy" NOT NULL DEFAULT 'optional';

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "session" SET "proved_at" = "created_at";

-- CreateTable
CREATE TABLE "operator_totp" (
    "operator_id" INTEGER NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_step" INTEGER NOT NULL,

    CONSTRAINT "operator_totp_pkey" PRIMARY KEY ("operator_id")
);

-- CreateTable
CREATE TABLE "operator_passkey" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "user_handle" BYTEA NOT NULL,
    "rp_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_factor_code" (
    "operator_id" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factor_code_pkey" PRIMARY KEY ("operator_id","code_hash")
);

-- CreateTable
CREATE TABLE "login_challenge" (
    "id" UUID NOT NULL,
    "purpose" "challenge_purpose" NOT NULL,
    "operator_id" INTEGER,
    "nonce" BYTEA,
    "secret_box" BYTEA,
    "user_handle" BYTEA,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_challenge_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_passkey_credential_id_key" ON "operator_passkey"("credential_id");

-- CreateIndex
CREATE INDEX "operator_passkey_operator_id_idx" ON "operator_passkey"("operator_id");

-- CreateIndex
CREATE INDEX "login_challenge_expires_at_idx" ON "login_challenge"("expires_at");

-- CreateIndex
CREATE INDEX "login_challenge_operator_id_idx" ON "login_challenge"("operator_id");

-- AddForeignKey
ALTER TABLE "operator_totp" ADD CONSTRAINT "operator_totp_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operator_passkey" ADD CONSTRAINT "operator_passkey_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_factor_code" ADD CONSTRAINT "second_factor_code_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_challenge" ADD CONSTRAINT "login_challenge_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

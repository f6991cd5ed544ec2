-- CreateTable
CREATE TABLE "request_once" (
    "fingerprint" BYTEA NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_once_pkey" PRIMARY KEY ("fingerprint")
);

-- CreateIndex
CREATE INDEX "request_once_held_until_idx" ON "request_once"("held_until");

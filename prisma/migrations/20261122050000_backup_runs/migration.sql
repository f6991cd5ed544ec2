-- CreateTable
CREATE TABLE "backup_run" (
    "id" SERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "file" TEXT,
    "bytes" BIGINT,
    "rows" BIGINT,
    "verified_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "backup_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backup_run_started_at_idx" ON "backup_run"("started_at" DESC);

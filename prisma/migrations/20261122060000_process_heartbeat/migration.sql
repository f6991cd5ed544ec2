-- CreateTable
CREATE TABLE "process_heartbeat" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "parts" JSONB NOT NULL,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("id")
);

-- When the server was last alive, and the last time that it was off for longer than a restart takes.

-- CreateTable
CREATE TABLE "server_pulse" (
    "id" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "off_from" TIMESTAMPTZ(3),
    "off_until" TIMESTAMPTZ(3),

    CONSTRAINT "server_pulse_pkey" PRIMARY KEY ("id")
);

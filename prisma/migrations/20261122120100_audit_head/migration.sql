-- CreateTable
CREATE TABLE "audit_head" (
    "id" INTEGER NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,
    "heads_box" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

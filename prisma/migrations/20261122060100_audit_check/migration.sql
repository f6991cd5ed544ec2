-- CreateTable
CREATE TABLE "audit_check" (
    "id" SERIAL NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "entries" INTEGER NOT NULL,
    "whole" BOOLEAN NOT NULL,

    CONSTRAINT "audit_check_pkey" PRIMARY KEY ("id")
);

-- Whose recovery code a message carries: who else may read it depends on where that person works when it is read.
ALTER TABLE "outbound_message" ADD COLUMN "operator_id" INTEGER;

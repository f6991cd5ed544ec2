-- A request that a program sends with an idempotency key is answered again with the first answer.
ALTER TABLE "request_once" ADD COLUMN "content" BYTEA, ADD COLUMN "answer" BYTEA;

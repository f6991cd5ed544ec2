-- A code that the console sent for is good only with the handle that the same request was answered with, which is the row's id:
-- whoever asked for another code, or tries none of theirs, can't use its tries up. Codes of old clients are good by themselves.
ALTER TABLE "recovery_code" ADD COLUMN "by_handle" BOOLEAN NOT NULL DEFAULT false;

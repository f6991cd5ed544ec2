-- Whoever was given a password by somebody else chooses one of their own before anything else. Of earlier ones nobody knows.
ALTER TABLE "operator" ADD COLUMN "password_set_by_other" BOOLEAN NOT NULL DEFAULT false;

-- A command that has ended has no arguments: null, since an empty box would be taken for one that no key opens.
ALTER TABLE "lock_command" ALTER COLUMN "args_box" DROP NOT NULL;
UPDATE "lock_command" SET "args_box" = NULL WHERE "ended_at" IS NOT NULL;
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_args_until_end" CHECK (("args_box" IS NULL) = ("ended_at" IS NOT NULL));

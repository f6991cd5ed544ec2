-- Why the guests of a reservation didn't come, if the clerk knows. It stays with the stay when that is reinstated.
ALTER TABLE "stay" ADD COLUMN "no_show_reason" TEXT NOT NULL DEFAULT '';

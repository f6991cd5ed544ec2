-- Who looks after the installation itself, where it serves several hotels; set at the command line only.
ALTER TABLE "operator" ADD COLUMN "runs_installation" BOOLEAN NOT NULL DEFAULT false;

import { join, resolve } from "node:path";
import { prepareTrialDatabase } from "../adapters/backup/trial-database.ts";
import { prepareDatabase } from "../adapters/postgres/prepare.ts";
import { loadConfig } from "../config.ts";

// Migrates the database as its owner (DATABASE_MIGRATION_URL) and grants the server's role its rights.
try {
  const { databaseUrl, databaseMigrationUrl: migrationUrl, redisUrl, backup } = loadConfig(process.env, []);
  if (databaseUrl === undefined)
    throw new Error("Set DATABASE_URL; the PostgreSQL inside is kept up to date by npm start.");
  const applied = await prepareDatabase({
    databaseUrl,
    migrationUrl,
    prismaDir: join(resolve(import.meta.dirname, "../../../.."), "prisma"),
    withQueue: redisUrl === undefined,
  });
  for (const name of applied) console.log(`applied ${name}`);
  const untried = await prepareTrialDatabase({ databaseUrl, migrationUrl, trialUrl: backup.trialUrl });
  if (untried !== null) console.error(untried);
  console.log("The database is up to date.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

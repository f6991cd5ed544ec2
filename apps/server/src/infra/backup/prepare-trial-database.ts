import pg from "pg";
import { databaseNameOf, namesSameServer, roleNameOf, withDatabaseName } from "../database/database-name.ts";
import { MIGRATION_LOCK } from "../database/migrate.ts";
import { identifier } from "./catalogue.ts";
import { newDatabase } from "./scratch-database.ts";
import { checkTrialDatabase, refuseUnfit, TrialInLive } from "./trial-database.ts";

export interface TrialDatabase {
  /** what the server works with */
  databaseUrl: string;
  /** the owner of that database, who may make another */
  migrationUrl: string | undefined;
  /** where backups are tried; undefined: nowhere that has to be made before */
  trialUrl: string | undefined;
}

/**
 * Makes the database in which backups are tried, where an owner is given who may and it is not there yet, and gives the role
 * of `trialUrl` what a trial needs. Safe to repeat, and beside running servers. Answers why it can't be used, null where it
 * can: a house is not without its console because its backups can't be tried.
 * @throws TrialInLive where it is that database itself
 */
export async function prepareTrialDatabase({
  databaseUrl,
  migrationUrl,
  trialUrl,
}: TrialDatabase): Promise<string | null> {
  if (trialUrl === undefined) return null;
  try {
    // On a server of its own it is made by whoever made that.
    if (migrationUrl !== undefined && namesSameServer(migrationUrl, trialUrl)) await provide(migrationUrl, trialUrl);
    await checkTrialDatabase(databaseUrl, trialUrl);
    return null;
  } catch (error) {
    if (error instanceof TrialInLive) throw error;
    return `Backups can't be tried: ${error instanceof Error ? error.message : error}`;
  }
}

async function provide(ownerUrl: string, trialUrl: string): Promise<void> {
  const name = databaseNameOf(trialUrl);
  await connectedAs(ownerUrl, async (owner) => {
    // Servers that start together queue; the lock goes with the connection.
    await owner.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await make(owner, name);
    if (!(await isOwn(owner, name))) return;
    await connectedAs(withDatabaseName(ownerUrl, name), async (trial) => {
      await refuseUnfit(ownerUrl, trial);
      await grant(trial, name, roleNameOf(trialUrl));
    });
  });
}

async function make(owner: pg.Client, name: string): Promise<void> {
  const { rows: there } = await owner.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  if (there.length > 0) return;
  const { rows } = await owner.query<{ may: boolean; role: string }>(
    "SELECT rolcreatedb OR rolsuper AS may, current_user AS role FROM pg_roles WHERE rolname = current_user",
  );
  const [{ may, role } = { may: false, role: "" }] = rows;
  if (!may) {
    throw new Error(
      `there is no database ${name}, and ${role} may not make it. ALTER ROLE ${identifier(role)} CREATEDB, then start again.`,
    );
  }
  await newDatabase(owner, name);
}

/** One that somebody else made is theirs to give rights in. */
async function isOwn(owner: pg.Client, name: string): Promise<boolean> {
  const { rows } = await owner.query("SELECT FROM pg_database WHERE datname = $1 AND datdba = current_user::regrole", [
    name,
  ]);
  return rows.length > 0;
}

/** What building the console's tables there takes, and nobody else may come in. */
async function grant(trial: pg.Client, name: string, role: string): Promise<void> {
  const [database, to] = [identifier(name), identifier(role)];
  await trial.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await trial.query(`GRANT CONNECT, CREATE ON DATABASE ${database} TO ${to}`);
  await trial.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${to}`);
}

async function connectedAs(url: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // said by the query that is under way
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

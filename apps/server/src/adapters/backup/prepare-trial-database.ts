import type pg from "pg";
import { databaseNameOf, namesSameServer, roleNameOf, withDatabaseName } from "../postgres/database-name.ts";
import { identifier } from "./catalogue.ts";
import { newDatabase } from "./scratch-database.ts";
import { checkTrialDatabase, refuseContents, TrialInLive, TrialRefused } from "./trial-database.ts";
import { asking } from "./wary-client.ts";

/**
 * Number of an advisory lock, separate from the one of migrations so that those need not wait. Servers that start
 * together prepare the trial database one after the other.
 */
const PREPARING_LOCK = 461_175_032;
/** Another server may be creating it, and creating a database takes time on a busy disk. */
const MAKING_MS = 60_000;

export interface TrialDatabase {
  /** database that the server uses */
  databaseUrl: string;
  /** connection as the owner of that database, who may create another */
  migrationUrl: string | undefined;
  /** database for test restores; undefined: none has to be created in advance */
  trialUrl: string | undefined;
}

/**
 * Creates the database for test restores if it is missing and there is an owner who may create it, and grants the role
 * of `trialUrl` the rights for a trial. Safe to repeat, and while servers run. Returns why the database can't be used,
 * or null if it can: the console must work even if backups can't be tested.
 * @throws TrialInLive if `trialUrl` leads to the live database
 */
export async function prepareTrialDatabase({
  databaseUrl,
  migrationUrl,
  trialUrl,
}: TrialDatabase): Promise<string | null> {
  if (trialUrl === undefined) return null;
  try {
    // On a separate server, the operator of that server creates it.
    if (migrationUrl !== undefined && namesSameServer(migrationUrl, trialUrl)) await provide(migrationUrl, trialUrl);
    await checkTrialDatabase(databaseUrl, trialUrl);
    return null;
  } catch (error) {
    if (error instanceof TrialInLive) throw error;
    return `Backups can't be tried: ${error instanceof Error ? error.message : error}`;
  }
}

async function provide(ownerUrl: string, trialUrl: string): Promise<void> {
  const [name, role] = [databaseNameOf(trialUrl), roleNameOf(trialUrl)];
  await asking(
    ownerUrl,
    async (owner) => {
      await owner.query("SELECT pg_advisory_lock($1)", [PREPARING_LOCK]); // released with the connection
      await make(owner, name);
      const { live, own, given: granted } = await readDatabaseState(owner, name, role);
      if (live) throw new TrialInLive();
      // We grant no rights in a database of another owner, and do not connect as the owner where the trial role already
      // has its rights.
      if (own && !granted) await asking(withDatabaseName(ownerUrl, name), (trial) => grant(trial, name, role));
    },
    MAKING_MS,
  );
}

async function make(owner: pg.Client, name: string): Promise<void> {
  const { rowCount } = await owner.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  if (rowCount !== 0) return;
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

interface DatabaseState {
  /** the owner is connected to it: it is the live database */
  live: boolean;
  /** it belongs to the owner */
  own: boolean;
  /** the role for trials has its rights there */
  given: boolean;
}

/** Reads the state of a database without connecting to it. */
async function readDatabaseState(owner: pg.Client, name: string, role: string): Promise<DatabaseState> {
  const { rows } = await owner.query<DatabaseState>(
    `SELECT datname = current_database() AS live, datdba = current_user::regrole AS own,
      has_database_privilege($2, oid, 'CONNECT') AND has_database_privilege($2, oid, 'CREATE') AS given
    FROM pg_database WHERE datname = $1`,
    [name, role],
  );
  return rows[0] ?? { live: false, own: false, given: false };
}

/** Grants the rights needed to create the console's tables and revokes the access of all others, in one transaction. */
async function grant(trial: pg.Client, name: string, role: string): Promise<void> {
  await refuseOther(trial, name);
  await refuseContents(trial);
  const [database, to] = [identifier(name), identifier(role)];
  await trial.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT, CREATE ON DATABASE ${database} TO ${to};
    GRANT USAGE, CREATE ON SCHEMA public TO ${to}`);
}

/** A pooler may lead to another database than the requested one. */
async function refuseOther(trial: pg.Client, name: string): Promise<void> {
  const { rows } = await trial.query<{ name: string }>("SELECT pg_catalog.current_database() AS name");
  if (rows[0]?.name === name) return;
  throw new TrialRefused(`BACKUP_VERIFY_DATABASE_URL names ${name} and leads to the database ${rows[0]?.name}.`);
}

import type pg from "pg";
import { databaseNameOf, namesSameServer, roleNameOf, withDatabaseName } from "../database/database-name.ts";
import { identifier } from "./catalogue.ts";
import { newDatabase } from "./scratch-database.ts";
import { checkTrialDatabase, refuseContents, TrialInLive, TrialRefused } from "./trial-database.ts";
import { asking } from "./wary-client.ts";

/** Any number of its own: servers that start together prepare it one after the other, and hold up nobody's migrations. */
const PREPARING_LOCK = 461_175_032;
/** Others may be at it, and making a database takes a while on a busy disk. */
const MAKING_MS = 60_000;

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
  const [name, role] = [databaseNameOf(trialUrl), roleNameOf(trialUrl)];
  await asking(
    ownerUrl,
    async (owner) => {
      await owner.query("SELECT pg_advisory_lock($1)", [PREPARING_LOCK]); // goes with the connection
      await make(owner, name);
      const { live, own, given: granted } = await readDatabaseState(owner, name, role);
      if (live) throw new TrialInLive();
      // One that somebody else made is theirs to give rights in; and where its role may work, the owner has no business.
      if (own && !granted) await asking(withDatabaseName(ownerUrl, name), (trial) => grant(trial, name, role));
    },
    MAKING_MS,
  );
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

interface DatabaseState {
  /** the owner is connected to it: it is the one that people work with */
  live: boolean;
  /** the owner's */
  own: boolean;
  /** the role for trials has its rights there */
  given: boolean;
}

/** How a database stands, without going into it. */
async function readDatabaseState(owner: pg.Client, name: string, role: string): Promise<DatabaseState> {
  const { rows } = await owner.query<DatabaseState>(
    `SELECT datname = current_database() AS live, datdba = current_user::regrole AS own,
      has_database_privilege($2, oid, 'CONNECT') AND has_database_privilege($2, oid, 'CREATE') AS given
    FROM pg_database WHERE datname = $1`,
    [name, role],
  );
  return rows[0] ?? { live: false, own: false, given: false };
}

/** What building the console's tables there takes, and nobody else may come in: all of it or nothing. */
async function grant(trial: pg.Client, name: string, role: string): Promise<void> {
  await refuseOther(trial, name);
  await refuseContents(trial);
  const [database, to] = [identifier(name), identifier(role)];
  await trial.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT, CREATE ON DATABASE ${database} TO ${to};
    GRANT USAGE, CREATE ON SCHEMA public TO ${to}`);
}

/** A pooler may lead to another database than the one it is asked for. */
async function refuseOther(trial: pg.Client, name: string): Promise<void> {
  const { rows } = await trial.query<{ name: string }>("SELECT pg_catalog.current_database() AS name");
  if (rows[0]?.name === name) return;
  throw new TrialRefused(`BACKUP_VERIFY_DATABASE_URL names ${name} and leads to the database ${rows[0]?.name}.`);
}

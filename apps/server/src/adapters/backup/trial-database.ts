import { randomBytes } from "node:crypto";
import pg from "pg";
import { quietClient } from "../postgres/client.ts";
import { databaseNameOf, namesSameServer, roleNameOf, withDatabaseName } from "../postgres/database-name.ts";
import { identifier } from "./catalogue.ts";

const PREFIX = "innkey_verify_";
/** Age after which the database of a killed verification is dropped by a later one. */
const MAX_LEFTOVER_AGE_MS = 86_400_000;

/** There is no database for a test restore; the message says why and, if possible, how to get one. */
export class NoScratchDatabase extends Error {}

/**
 * Creates an empty database on the same server as the given one, and drops it after `use`.
 * @throws NoScratchDatabase
 */
export async function withScratchDatabase<T>(databaseUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const client = quietClient({ connectionString: databaseUrl, application_name: "innkey verify" });
  await client.connect();
  try {
    await requireCreateRight(client);
    await dropLeftovers(client);
    const name = `${PREFIX}${Date.now()}_${randomBytes(4).toString("hex")}`;
    await createDatabase(client, name);
    try {
      return await use(withDatabaseName(databaseUrl, name));
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
    }
  } finally {
    await client.end();
  }
}

/** Creates an empty database with the collation of the one that the client is connected to. */
async function createDatabase(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ collate: string; type: string }>(
    "SELECT datcollate AS collate, datctype AS type FROM pg_database WHERE datname = current_database()",
  );
  const [{ collate, type } = { collate: "C", type: "C" }] = rows;
  const locale = `LC_COLLATE ${pg.escapeLiteral(collate)} LC_CTYPE ${pg.escapeLiteral(type)}`;
  await client.query(`CREATE DATABASE ${identifier(name)} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
}

/** @throws NoScratchDatabase if the role may not create databases */
async function requireCreateRight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean; role: string }>(
    "SELECT rolcreatedb OR rolsuper AS may, current_user AS role FROM pg_roles WHERE rolname = current_user",
  );
  const [{ may, role } = { may: false, role: "" }] = rows;
  if (may) return;
  throw new NoScratchDatabase(
    `The role ${role} may not make the database that a trial restore needs: ALTER ROLE ${identifier(role)} CREATEDB, or set BACKUP_VERIFY_DATABASE_URL.`,
  );
}

async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE $1 || '%' AND datdba = current_user::regrole",
    [PREFIX.replaceAll("_", "\\_")],
  );
  for (const { name } of rows) {
    const createdAt = Number(name.slice(PREFIX.length).split("_")[0]);
    if (createdAt < Date.now() - MAX_LEFTOVER_AGE_MS)
      await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
  }
}

/** Time limit for a server that does not answer. */
const TIMEOUT_MS = 10_000;
/** Added to our own limit, so that PostgreSQL's timeout error comes first. */
const GRACE_MS = 5_000;

/** load.ts ignores connections of this name when it checks that no server is running. */
const APPLICATION = "backup trial";

/**
 * Connects to a database in which another role may create objects. Unqualified names resolve to PostgreSQL's own
 * objects; otherwise another role's function could run with the rights of this one. Time limits apply to the server's
 * answers and to waiting for locks. The caller closes the client.
 */
async function connectRestricted(url: string, timeoutMs = TIMEOUT_MS): Promise<pg.Client> {
  const client = quietClient({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: timeoutMs + GRACE_MS,
  });
  await client.connect();
  try {
    // We set this by a statement because the URL's own `options` would take precedence; no name is looked up before it
    // is done.
    await client.query(`SET search_path = pg_catalog; SET statement_timeout = ${timeoutMs}`);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function withRestrictedClient<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const client = await connectRestricted(url, timeoutMs);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The database for trials is not suitable; the message says why. */
export class TrialRefused extends Error {}
/** The database for trials is the live database. */
class TrialIsLive extends TrialRefused {
  constructor() {
    super(LIVE);
  }
}

const LIVE = `BACKUP_VERIFY_DATABASE_URL is the console's own database, perhaps under another name. Trial restores need another
one, which is empty; nothing was tried and nothing was changed.`;
/** Number of the advisory lock that allows one trial at a time. */
const TRIAL_LOCK = 461_175_031;

/**
 * Identity of a database: the system identifier that initdb created for its cluster, and its own oid. It is independent
 * of the address by which the database is reached.
 */
const IDENTITY = `
  SELECT c.system_identifier::pg_catalog.text AS cluster, d.oid::pg_catalog.text AS database
  FROM pg_catalog.pg_database d, pg_catalog.pg_control_system() c
  WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()`;

/**
 * Lists everything that someone created there: all that depends on a schema other than PostgreSQL's own (tables,
 * functions, operators, types and so on), and schemas other than `public`. Objects of an extension do not count.
 */
const CONTENTS = `
  WITH theirs AS (
    SELECT oid, nspname FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  ), things AS (
    SELECT 1 AS turn, d.classid, d.objid FROM pg_catalog.pg_depend d JOIN theirs n ON n.oid = d.refobjid
      WHERE d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.deptype = 'n'
        AND d.classid <> 'pg_catalog.pg_extension'::pg_catalog.regclass
    UNION ALL
    SELECT 2, 'pg_catalog.pg_namespace'::pg_catalog.regclass, oid FROM theirs WHERE nspname <> 'public'
  )
  SELECT i.type, i.identity FROM things t, pg_catalog.pg_identify_object(t.classid, t.objid, 0) i
  WHERE NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend e WHERE e.classid = t.classid AND e.objid = t.objid AND e.deptype = 'e')
  ORDER BY t.turn, i.type, i.identity LIMIT 1`;

/**
 * Runs `use` with the database reserved for trials; `use` must leave nothing there (load.ts).
 * @throws TrialRefused unless it is empty and not the live database; NoScratchDatabase while it is unavailable
 */
export function withTrialDatabase<T>(liveUrl: string, trialUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  return withTrialConnection(trialUrl, async (trial) => {
    await requireSuitable(liveUrl, trial);
    const { rows } = await trial.query<{ acquired: boolean }>("SELECT pg_try_advisory_lock($1) AS acquired", [
      TRIAL_LOCK,
    ]);
    if (!rows[0]?.acquired) throw new NoScratchDatabase("Another backup is being tried in BACKUP_VERIFY_DATABASE_URL.");
    return use(trialUrl);
  });
}

/** @throws TrialRefused, NoScratchDatabase as above */
const checkTrialDatabase = (liveUrl: string, trialUrl: string): Promise<void> =>
  withTrialConnection(trialUrl, (trial) => requireSuitable(liveUrl, trial));

/** @throws TrialIsLive for the live database, TrialRefused for one that is not empty */
async function requireSuitable(liveUrl: string, trial: pg.Client): Promise<void> {
  if ((await withRestrictedClient(liveUrl, identityOf)) === (await identityOf(trial))) throw new TrialIsLive();
  await requireEmpty(trial);
}

/** Trials are never committed, so any content belongs to someone else. @throws TrialRefused */
async function requireEmpty(trial: pg.Client): Promise<void> {
  const { rows } = await trial.query<{ type: string; identity: string }>(CONTENTS);
  if (!rows[0]) return;
  const { type, identity } = rows[0];
  throw new TrialRefused(
    `BACKUP_VERIFY_DATABASE_URL is not empty: there is the ${type} ${identity}. Trial restores need a database of their own.`,
  );
}

async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ cluster: string; database: string }>(IDENTITY);
  if (!rows[0]) throw new Error("A database that is not in its own catalogue.");
  return `${rows[0].cluster}/${rows[0].database}`;
}

/** Connects to the trial database for `use`. @throws NoScratchDatabase if there is no connection */
async function withTrialConnection<T>(trialUrl: string, use: (trial: pg.Client) => Promise<T>): Promise<T> {
  const trial = await connectRestricted(trialUrl).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoScratchDatabase(`The database of BACKUP_VERIFY_DATABASE_URL can't be had: ${reason}`, { cause });
  });
  try {
    return await use(trial);
  } finally {
    await trial.end();
  }
}

/**
 * Number of an advisory lock, separate from the one of migrations so that those need not wait. Servers that start
 * together prepare the trial database one after the other.
 */
const PREPARATION_LOCK = 461_175_032;
/** Another server may be creating it, and creating a database takes time on a busy disk. */
const CREATE_TIMEOUT_MS = 60_000;

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
 * @throws TrialIsLive if `trialUrl` leads to the live database
 */
export async function prepareTrialDatabase({
  databaseUrl,
  migrationUrl,
  trialUrl,
}: TrialDatabase): Promise<string | null> {
  if (trialUrl === undefined) return null;
  try {
    // On a separate server, the operator of that server creates it.
    if (migrationUrl !== undefined && namesSameServer(migrationUrl, trialUrl))
      await createTrialDatabase(migrationUrl, trialUrl);
    await checkTrialDatabase(databaseUrl, trialUrl);
    return null;
  } catch (error) {
    if (error instanceof TrialIsLive) throw error;
    return `Backups can't be tried: ${error instanceof Error ? error.message : error}`;
  }
}

/** Creates the database if it is missing, and grants the trial role its rights there. @throws TrialIsLive */
async function createTrialDatabase(ownerUrl: string, trialUrl: string): Promise<void> {
  const [name, role] = [databaseNameOf(trialUrl), roleNameOf(trialUrl)];
  await withRestrictedClient(
    ownerUrl,
    async (owner) => {
      await owner.query("SELECT pg_advisory_lock($1)", [PREPARATION_LOCK]); // released with the connection
      await createIfMissing(owner, name);
      const { live, own, granted } = await readDatabaseState(owner, name, role);
      if (live) throw new TrialIsLive();
      // We grant no rights in a database of another owner, and do not connect as the owner where the trial role already
      // has its rights.
      if (own && !granted) {
        await withRestrictedClient(withDatabaseName(ownerUrl, name), (trial) => grant(trial, name, role));
      }
    },
    CREATE_TIMEOUT_MS,
  );
}

/** @throws Error if the database is missing and the role may not create it */
async function createIfMissing(owner: pg.Client, name: string): Promise<void> {
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
  await createDatabase(owner, name);
}

interface DatabaseState {
  /** the owner is connected to it: it is the live database */
  live: boolean;
  /** it belongs to the owner */
  own: boolean;
  /** the role for trials has its rights there */
  granted: boolean;
}

/** Reads the state of a database without connecting to it. */
async function readDatabaseState(owner: pg.Client, name: string, role: string): Promise<DatabaseState> {
  const { rows } = await owner.query<DatabaseState>(
    `SELECT datname = current_database() AS live, datdba = current_user::regrole AS own,
      has_database_privilege($2, oid, 'CONNECT') AND has_database_privilege($2, oid, 'CREATE') AS granted
    FROM pg_database WHERE datname = $1`,
    [name, role],
  );
  return rows[0] ?? { live: false, own: false, granted: false };
}

/** Grants the rights needed to create the console's tables and revokes the access of all others, in one transaction. */
async function grant(trial: pg.Client, name: string, role: string): Promise<void> {
  await requireName(trial, name);
  await requireEmpty(trial);
  const [database, to] = [identifier(name), identifier(role)];
  await trial.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
    GRANT CONNECT, CREATE ON DATABASE ${database} TO ${to};
    GRANT USAGE, CREATE ON SCHEMA public TO ${to}`);
}

/** @throws TrialRefused if a connection pooler has led to another database than the requested one */
async function requireName(trial: pg.Client, name: string): Promise<void> {
  const { rows } = await trial.query<{ name: string }>("SELECT pg_catalog.current_database() AS name");
  if (rows[0]?.name === name) return;
  throw new TrialRefused(`BACKUP_VERIFY_DATABASE_URL names ${name} and leads to the database ${rows[0]?.name}.`);
}

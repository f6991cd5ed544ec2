import type pg from "pg";
import { NoScratchDatabase } from "./scratch-database.ts";
import { asking, waryClient } from "./wary-client.ts";

/** The database for trials is not suitable; the message says why. */
export class TrialRefused extends Error {}
/** The database for trials is the live database. */
export class TrialInLive extends TrialRefused {
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
  return connected(trialUrl, async (trial) => {
    await refuseUnfit(liveUrl, trial);
    const { rows } = await trial.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [TRIAL_LOCK]);
    if (!rows[0]?.mine) throw new NoScratchDatabase("Another backup is being tried in BACKUP_VERIFY_DATABASE_URL.");
    return use(trialUrl);
  });
}

/** @throws TrialRefused, NoScratchDatabase as above */
export const checkTrialDatabase = (liveUrl: string, trialUrl: string): Promise<void> =>
  connected(trialUrl, (trial) => refuseUnfit(liveUrl, trial));

/** @throws TrialInLive for the live database, TrialRefused for one that is not empty */
async function refuseUnfit(liveUrl: string, trial: pg.Client): Promise<void> {
  if ((await asking(liveUrl, identityOf)) === (await identityOf(trial))) throw new TrialInLive();
  await refuseContents(trial);
}

/** Trials are never committed, so any content belongs to someone else. @throws TrialRefused */
export async function refuseContents(trial: pg.Client): Promise<void> {
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

async function connected<T>(trialUrl: string, use: (trial: pg.Client) => Promise<T>): Promise<T> {
  const trial = await waryClient(trialUrl).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoScratchDatabase(`The database of BACKUP_VERIFY_DATABASE_URL can't be had: ${reason}`, { cause });
  });
  try {
    return await use(trial);
  } finally {
    await trial.end();
  }
}

import pg from "pg";
import { NoScratchDatabase } from "./scratch-database.ts";

/** The database for trials is none to try anything in; the message says why. */
export class TrialRefused extends Error {}
/** It is the one that people work with. */
export class TrialInLive extends TrialRefused {}

const LIVE = `BACKUP_VERIFY_DATABASE_URL is the console's own database, perhaps under another name. Trial restores need another
one, which is empty; nothing was tried and nothing was changed.`;
/** Any number of its own: one trial at a time. */
const TRIAL_LOCK = 461_175_031;
/** Not one that counts as a server's (load.ts). */
const APPLICATION = "backup trial";

/** Of a database: the cluster's own number, made by initdb, and the database's in it. The same by whatever name it is reached. */
const IDENTITY = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS identity
  FROM pg_database WHERE datname = current_database()`;

/** Anything that somebody put there, in whatever schema; what belongs to an extension is nobody's. */
const CONTENTS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 1`;

/**
 * The database that is kept for trials, for as long as `use` takes; whoever uses it leaves nothing there (load.ts).
 * @throws TrialRefused unless it is empty and another one than the live one; NoScratchDatabase while it can't be had
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

/** @throws TrialInLive for the live one, TrialRefused for one that has something in it */
export async function refuseUnfit(liveUrl: string, trial: pg.Client): Promise<void> {
  const live = new pg.Client({ connectionString: liveUrl, application_name: APPLICATION });
  live.on("error", () => undefined); // said by the query that is under way
  await live.connect();
  try {
    if ((await identityOf(live)) === (await identityOf(trial))) throw new TrialInLive(LIVE);
  } finally {
    await live.end();
  }
  await refuseContents(trial);
}

/** Trials are never committed, so whatever is there is somebody else's. */
async function refuseContents(trial: pg.Client): Promise<void> {
  const { rows } = await trial.query<{ name: string }>(CONTENTS);
  if (!rows[0]) return;
  throw new TrialRefused(
    `BACKUP_VERIFY_DATABASE_URL is not empty: there is ${rows[0].name}. Trial restores need a database of their own.`,
  );
}

async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(IDENTITY);
  if (!rows[0]) throw new Error("A database that is not in its own catalogue.");
  return rows[0].identity;
}

async function connected<T>(trialUrl: string, use: (trial: pg.Client) => Promise<T>): Promise<T> {
  const trial = new pg.Client({ connectionString: trialUrl, application_name: APPLICATION });
  trial.on("error", () => undefined); // said by the query that is under way
  await trial.connect().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoScratchDatabase(`The database of BACKUP_VERIFY_DATABASE_URL can't be had: ${reason}`, { cause });
  });
  try {
    return await use(trial);
  } finally {
    await trial.end();
  }
}

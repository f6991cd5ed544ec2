import pg from "pg";

/** Time limit for a server that does not answer. */
const PATIENCE_MS = 10_000;
/** Added to our own limit, so that PostgreSQL's timeout error comes first. */
const GRACE_MS = 5_000;

/** A name that does not count as a running server (load.ts). */
const APPLICATION = "backup trial";

/**
 * Connects to a database in which another role may create objects. Unqualified names resolve to PostgreSQL's own
 * objects; otherwise another role's function could run with the rights of this one. Time limits apply to the server's
 * answers and to waiting for locks. The caller closes the client.
 */
export async function waryClient(url: string, patienceMs = PATIENCE_MS): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: patienceMs + GRACE_MS,
  });
  client.on("error", () => undefined); // the running query reports it
  await client.connect();
  try {
    // We set this by a statement because the URL's own `options` would take precedence; no name is looked up before it
    // is done.
    await client.query(`SET search_path = pg_catalog; SET statement_timeout = ${patienceMs}`);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

export async function asking<T>(url: string, ask: (client: pg.Client) => Promise<T>, patienceMs?: number): Promise<T> {
  const client = await waryClient(url, patienceMs);
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

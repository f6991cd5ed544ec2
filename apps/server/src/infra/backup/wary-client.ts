import pg from "pg";

/** How long a server that says nothing is waited for. */
const PATIENCE_MS = 10_000;
/** PostgreSQL's own word comes before ours. */
const GRACE_MS = 5_000;

/** Not one that counts as a server's (load.ts). */
const APPLICATION = "backup trial";

/**
 * A client for a database into which another role may put things. A bare name or operator is PostgreSQL's own there, or
 * somebody's would run with the rights of whoever asks; and neither the server nor a lock in it is waited for without end.
 * Whoever opens it closes it.
 */
export async function waryClient(url: string, patienceMs = PATIENCE_MS): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: patienceMs + GRACE_MS,
  });
  client.on("error", () => undefined); // said by the query that is under way
  await client.connect();
  try {
    // Not by the address, whose own `options` would come before: and nothing is looked up by name until it is done.
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

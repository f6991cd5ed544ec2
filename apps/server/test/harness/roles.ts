import { randomUUID } from "node:crypto";
import pg from "pg";

export interface TestRoles {
  /** The server's role, which owns nothing */
  server: string;
  serverUrl: string;
  /** URL of the role that owns the database and everything in it */
  ownerUrl: string;
  /** Drops both roles; no connection may use them any more */
  drop(): Promise<void>;
}

/** Creates two roles for an empty test database, as in an installation: its owner and the server's role. */
export async function createTestRoles(databaseUrl: string, password: string): Promise<TestRoles> {
  const mark = randomUUID().slice(0, 8);
  const [owner, server] = [`owner_${mark}`, `server_${mark}`];
  const name = new URL(databaseUrl).pathname.slice(1);
  await asSuperuser(databaseUrl, [
    "DROP SCHEMA public CASCADE",
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`,
    `CREATE ROLE ${server} LOGIN PASSWORD '${password}'`,
    `ALTER DATABASE ${name} OWNER TO ${owner}`,
    // As in a new PostgreSQL database: belongs to the owner, and everyone may use it.
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
  ]);
  const as = (role: string): string => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = password;
    return url.href;
  };
  return {
    server,
    serverUrl: as(server),
    ownerUrl: as(owner),
    drop: () =>
      asSuperuser(databaseUrl, [
        `REASSIGN OWNED BY ${owner} TO CURRENT_USER`,
        `DROP OWNED BY ${owner}, ${server}`,
        `DROP ROLE ${owner}, ${server}`,
      ]),
  };
}

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

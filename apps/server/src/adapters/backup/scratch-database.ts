import { randomBytes } from "node:crypto";
import pg from "pg";
import { withDatabaseName } from "../postgres/database-name.ts";
import { identifier } from "./catalogue.ts";

const PREFIX = "innkey_verify_";
/** Age after which the database of a killed verification is dropped by a later one. */
const LEFT_BEHIND_MS = 86_400_000;

/** There is no database for a test restore; the message says why and, if possible, how to get one. */
export class NoScratchDatabase extends Error {}

/**
 * Creates an empty database on the same server as the given one, and drops it after `use`.
 * @throws NoScratchDatabase
 */
export async function withScratchDatabase<T>(databaseUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "innkey verify" });
  client.on("error", () => undefined); // the running query reports it
  await client.connect();
  try {
    await requireRight(client);
    await dropLeftovers(client);
    const name = `${PREFIX}${Date.now()}_${randomBytes(4).toString("hex")}`;
    await newDatabase(client, name);
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
export async function newDatabase(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ collate: string; type: string }>(
    "SELECT datcollate AS collate, datctype AS type FROM pg_database WHERE datname = current_database()",
  );
  const [{ collate, type } = { collate: "C", type: "C" }] = rows;
  const locale = `LC_COLLATE ${pg.escapeLiteral(collate)} LC_CTYPE ${pg.escapeLiteral(type)}`;
  await client.query(`CREATE DATABASE ${identifier(name)} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
}

async function requireRight(client: pg.Client): Promise<void> {
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
    if (createdAt < Date.now() - LEFT_BEHIND_MS)
      await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
  }
}

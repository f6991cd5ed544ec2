import { randomBytes } from "node:crypto";
import pg from "pg";
import { identifier } from "./catalogue.ts";

const PREFIX = "innkey_verify_";
/** What a killed verification left is dropped by a later one. */
const LEFT_BEHIND_MS = 86_400_000;

/** The role may not make databases; the message says how it may. */
export class NoScratchDatabase extends Error {}

/**
 * An empty database beside the given one, on the same server, for as long as `use` takes.
 * @throws NoScratchDatabase
 */
export async function withScratchDatabase<T>(databaseUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "innkey verify" });
  client.on("error", () => undefined); // said by the query that is under way
  await client.connect();
  try {
    await requireRight(client);
    await dropLeftovers(client);
    const name = `${PREFIX}${Date.now()}_${randomBytes(4).toString("hex")}`;
    const { rows } = await client.query<{ collate: string; type: string }>(
      "SELECT datcollate AS collate, datctype AS type FROM pg_database WHERE datname = current_database()",
    );
    const locale = `LC_COLLATE ${client.escapeLiteral(rows[0]?.collate ?? "C")} LC_CTYPE ${client.escapeLiteral(rows[0]?.type ?? "C")}`;
    await client.query(`CREATE DATABASE ${identifier(name)} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
    try {
      const url = new URL(databaseUrl);
      url.pathname = `/${name}`;
      return await use(url.href);
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
    }
  } finally {
    await client.end();
  }
}

async function requireRight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean; role: string }>(
    "SELECT rolcreatedb OR rolsuper AS may, current_user AS role FROM pg_roles WHERE rolname = current_user",
  );
  const [{ may, role } = { may: false, role: "" }] = rows;
  if (may) return;
  throw new NoScratchDatabase(
    `The role ${role} may not make the database that a trial restore needs: ALTER ROLE ${identifier(role)} CREATEDB.`,
  );
}

async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE $1 || '%' AND datdba = current_user::regrole",
    [PREFIX.replaceAll("_", "\\_")],
  );
  for (const { name } of rows) {
    const made = Number(name.slice(PREFIX.length).split("_")[0]);
    if (made < Date.now() - LEFT_BEHIND_MS)
      await client.query(`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
  }
}

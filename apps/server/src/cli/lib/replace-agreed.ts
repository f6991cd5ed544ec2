import { stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import pg from "pg";
import { RestoreRefused } from "../../adapters/backup/load.ts";

/**
 * Asks the operator to type the name of a hotel that the restore will replace; returns at once if there is none.
 * @throws RestoreRefused for any other input
 */
export async function agreeToReplace(databaseUrl: string): Promise<void> {
  const names = await hotelsIn(databaseUrl);
  if (names.length === 0) return;
  console.log(`Everything in this database is given up for the backup: ${names.join(", ")}.`);
  process.stdout.write("Type the name of a hotel in it to go on: ");
  const lines = createInterface({ input: stdin, terminal: false });
  for await (const line of lines) {
    lines.close();
    if (names.includes(line.trim())) return;
    break;
  }
  throw new RestoreRefused("That is none of them. Nothing was changed.");
}

async function hotelsIn(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "restore" });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('public.hotel') IS NOT NULL AS there");
    if (!rows[0]?.there) return [];
    return (await client.query<{ name: string }>("SELECT name FROM hotel ORDER BY id")).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

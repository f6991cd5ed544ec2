import type pg from "pg";
import { secretsOf } from "../../core/scope.ts";
import { secretBox } from "../../core/secret-box.ts";
import { verifyChains } from "../audit/verification.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "./contents.ts";

/**
 * What must hold of rows that came out of a backup beyond being the same as before: journals are whole, money sums to zero,
 * and whoever has the backup's secrets opens what is sealed. One sentence for whatever doesn't.
 */
export async function brokenLaws(client: pg.ClientBase, secrets: ReadonlyMap<string, string>): Promise<string[]> {
  return [
    ...(await brokenChains(client)),
    ...(await unbalancedOrders(client)),
    ...(await closedBoxes(client, secrets)),
  ];
}

async function brokenChains(client: pg.ClientBase): Promise<string[]> {
  const reports = await verifyChains({ pool: client });
  return reports
    .filter(({ brokenAt, endMissing }) => brokenAt !== null || endMissing)
    .map(({ hotelId, hotelName }) => `The journal of ${hotelName} (hotel ${hotelId}) is not whole.`);
}

async function unbalancedOrders(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>(
    "SELECT order_id AS id FROM ledger_entry GROUP BY order_id HAVING sum(amount_minor) <> 0 ORDER BY order_id LIMIT 5",
  );
  return rows.map(({ id }) => `The entries of order ${id} do not sum to zero.`);
}

const BOXES = `
  SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE '%\\_box' ORDER BY 1, 2`;

/** Every sealed field begins with the number of the key that it was sealed with (core/secret-box.ts). */
async function closedBoxes(client: pg.ClientBase, secrets: ReadonlyMap<string, string>): Promise<string[]> {
  const open = keyIds(secrets);
  const { rows: columns } = await client.query<{ table: string; column: string }>(BOXES);
  const closed: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT encode(substring("${column}" FROM 1 FOR 4), 'hex') AS id FROM "${table}" WHERE "${column}" IS NOT NULL`,
    );
    if (rows.some(({ id }) => !open.has(id))) closed.push(`${table}.${column}`);
  }
  return closed.map((where) => `The secret key of the backup does not open everything that is sealed in ${where}.`);
}

function keyIds(secrets: ReadonlyMap<string, string>): Set<string> {
  const previous = secrets.get(PREVIOUS_KEYS)?.split(",") ?? [];
  const keys = [secrets.get(SECRET_KEY) ?? "", ...previous].filter((key) => key !== "");
  return new Set(
    keys.flatMap((hex) => {
      const key = Buffer.from(hex, "hex");
      return [...Object.values(secretsOf(key)), secretBox(key, "account")].map(({ keyId }) => keyId.toString("hex"));
    }),
  );
}

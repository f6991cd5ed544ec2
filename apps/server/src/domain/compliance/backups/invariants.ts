import type pg from "pg";
import { type SecretBox, type SecretPurpose, secretBox } from "../../../kernel/secret-box.ts";
import { isWhole, verifyChains } from "../audit/audit-chain.ts";
import {
  contextOf,
  rowKeyOf,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
  sealedRow,
} from "../secrets/sealed-columns.ts";

/** Tables whose rows are not backed up, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  captcha: "expires within five minutes",
  rate_limit: "counts attempts of the last minutes",
  process_heartbeat: "lists the processes of the last hour",
  server_pulse: "says when this server was last alive",
  audit_check: "result of the last check of the audit, which runs daily",
};

/** A system that has rows in only these tables counts as empty, because they fill without any user action. */
export const SELF_FILLING_TABLES: readonly string[] = [...Object.keys(LEFT_OUT), "backup_run", "audit_head"];

/**
 * SQL for the files to back up. Exports are left out because they expire within days and can be made again; uploads are
 * left out because they belong to a form that is still open.
 */
export const FILE_IDS = "SELECT id::text AS id FROM stored_file ORDER BY id";

/** Names of the secrets in a backup, and of their files in the data directory. */
export const SECRET_KEY = "secret-key";
export const PREVIOUS_KEYS = "previous-secret-keys";

/**
 * Checks what must hold for rows restored from a backup, besides being equal to the originals: audit chains are whole,
 * money sums to zero, and the backup's secrets open all sealed values. Returns one sentence for each violation.
 */
export async function brokenInvariants(client: pg.ClientBase, secrets: ReadonlyMap<string, string>): Promise<string[]> {
  const boxOf = boxFactory(secrets);
  return [
    ...(await brokenChains(client, boxOf("journal"))),
    ...(await unbalancedEntries(client)),
    ...(await unreadableColumns(client, boxOf)),
  ];
}

async function brokenChains(client: pg.ClientBase, auditBox: SecretBox): Promise<string[]> {
  const reports = await verifyChains({ pool: client }, auditBox);
  return reports
    .filter((report) => !isWhole(report))
    .map(({ hotelId, hotelName }) => `The audit of ${hotelName} (hotel ${hotelId}) is not whole.`);
}

async function unbalancedEntries(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: number }>(
    "SELECT folio_entry_id AS id FROM ledger_entry GROUP BY folio_entry_id HAVING sum(amount_minor) <> 0 ORDER BY folio_entry_id LIMIT 5",
  );
  return rows.map(({ id }) => `The ledger entries of folio entry ${id} do not sum to zero.`);
}

/** Sealed values read per statement. */
const BATCH = 1_000;

/** Tries to open every sealed value: a value opens only with its key and in the row for which it was sealed. */
async function unreadableColumns(client: pg.ClientBase, boxOf: BoxFactory): Promise<string[]> {
  const unreadable: string[] = [];
  for (const column of SEALED_COLUMNS) {
    if (!(await opensAll(client, column, boxOf(column.purpose)))) unreadable.push(column.name);
  }
  return unreadable.map((name) => `The secret key of the backup does not open everything that is sealed in ${name}.`);
}

type BoxFactory = (purpose: SecretPurpose) => SecretBox;

/**
 * Returns boxes that open with the backup's keys. Without `secret-key` its newest previous key takes that place; without
 * any key nothing opens, and every sealed value is reported.
 */
function boxFactory(secrets: ReadonlyMap<string, string>): BoxFactory {
  const keys = [secrets.get(SECRET_KEY) ?? "", ...(secrets.get(PREVIOUS_KEYS)?.split(",") ?? [])];
  const [newest = Buffer.alloc(0), ...previous] = keys
    .filter((key) => key !== "")
    .map((key) => Buffer.from(key, "hex"));
  return (purpose) => secretBox(newest, purpose, previous);
}

async function opensAll(client: pg.ClientBase, column: SealedColumn, box: SecretBox): Promise<boolean> {
  const key = await rowKeyOf(client, column.table);
  const order = key.columns.map(({ name }) => `t.${name}`).join(", ");
  await client.query(
    `DECLARE boxes NO SCROLL CURSOR WITH HOLD FOR SELECT ${sealedRow(column, key)} FROM ${column.table} t
      WHERE ${column.read} IS NOT NULL ORDER BY ${order}`,
  );
  try {
    for (;;) {
      const { rows } = await client.query<SealedRow>(`FETCH ${BATCH} FROM boxes`);
      if (rows.length === 0) return true;
      if (rows.some((row) => box.openBytes(row.sealed, contextOf(column, row)) === null)) return false;
    }
  } finally {
    await client.query("CLOSE boxes");
  }
}

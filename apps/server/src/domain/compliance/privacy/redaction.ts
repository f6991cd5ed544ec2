import { FORGOTTEN } from "@innkey/shared/words";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { showBulletin } from "../../access/public.ts";

/**
 * Statements that redact free text outside the person's own row. `$2`: pattern that finds the person, `$3`:
 * replacement, `$4`: stays, or the current time.
 */
const redacted = (column: string): string => `regexp_replace(${column}, $2, $3, 'gi')`;
const update = (table: string, columns: readonly string[], where: string): string =>
  `UPDATE ${table} SET ${columns.map((column) => `${column} = ${redacted(column)}`).join(", ")}
    WHERE hotel_id = $1 AND (${columns.map((column) => `${column} ~* $2`).join(" OR ")}) AND ${where}`;
const updateJson = (table: string, column: string): string =>
  `UPDATE ${table} SET ${column} = ${redacted(`${column}::text`)}::jsonb WHERE hotel_id = $1 AND ${column}::text ~* $2`;

const OF_STAYS = "stay_id = ANY ($4::int[])";
const IN_STAYS = [
  update("stay", ["other_information"], "id = ANY ($4::int[])"),
  update("passcode", ["person", "note"], OF_STAYS),
  update("card", ["note"], OF_STAYS),
  update("orders", ["note"], OF_STAYS),
  update("occupancy", ["note"], OF_STAYS),
];

/** Door codes of no stay that no longer open. A code still in use, or of another person's stay, names that person. */
const ENDED = "stay_id IS NULL AND (deleted_at IS NOT NULL OR valid_to < $4::timestamptz)";
/** Guest cards of no stay that no longer open; their note may name the person. */
const ENDED_CARD = `kind = 'guest' AND stay_id IS NULL
  AND (state IN ('revoking', 'revoked') OR valid_to < $4::timestamptz)`;
const IN_HOTEL = [
  update("stay", ["other_information"], "$4::timestamptz IS NOT NULL"),
  update("passcode", ["person", "note"], ENDED),
  update("card", ["note"], ENDED_CARD),
  update("orders", ["note"], "$4::timestamptz IS NOT NULL"),
  update("occupancy", ["note"], "$4::timestamptz IS NOT NULL"),
  update("credential", ["note"], "$4::timestamptz IS NOT NULL"),
  update("export", ["file_name"], "$4::timestamptz IS NOT NULL"),
  update("customer", ["note"], "$4::timestamptz IS NOT NULL"),
  update("night_audit", ["note"], "$4::timestamptz IS NOT NULL"),
  update("room", ["notice"], "$4::timestamptz IS NOT NULL"),
];
/** Payloads of webhooks, filters of exports and parameters of alerts. */
const IN_RECORDS = [
  updateJson("webhook_delivery", "payload"),
  updateJson("export", "request"),
  updateJson("message", "params"),
];

/** Redacts a person in texts about stays that they shared with others. */
export async function redactStays(tx: Transaction, pattern: string, stayIds: readonly number[]): Promise<void> {
  for (const statement of IN_STAYS) await tx.sql.rows(statement, pattern, FORGOTTEN, [...stayIds]);
}

/** Redacts a person in all other texts of the hotel. */
export async function redactHotel(tx: Transaction, pattern: string, now: Date): Promise<void> {
  for (const statement of IN_HOTEL) await tx.sql.rows(statement, pattern, FORGOTTEN, now);
  for (const statement of IN_RECORDS) await tx.sql.rows(statement, pattern, FORGOTTEN);
}

/** Redacts a person in the texts that door displays show, and sends the changed texts to the displays. */
export async function redactDisplays(scope: Scope, tx: Transaction, pattern: string): Promise<void> {
  const rooms = await tx.sql.rows<{ id: number; bulletin: string }>(
    `${update("room", ["bulletin"], "true")} RETURNING id, bulletin`,
    pattern,
    FORGOTTEN,
  );
  for (const { id, bulletin } of rooms) await showBulletin(scope, tx, id, bulletin);
}

/** Clears all texts about stays that the person had alone. Returns how many door codes were cleared. */
export async function blankStays(tx: Transaction, stayIds: readonly number[]): Promise<number> {
  const ids = [...stayIds];
  await tx.sql.rows("UPDATE stay SET other_information = '' WHERE hotel_id = $1 AND id = ANY ($2::int[])", ids);
  await tx.sql.rows("UPDATE card SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[])", ids);
  await tx.sql.rows(
    "UPDATE orders SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) AND note <> ''",
    ids,
  );
  const codes = await tx.sql.rows(
    "UPDATE passcode SET person = $3, note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) RETURNING id",
    ids,
    FORGOTTEN,
  );
  return codes.length;
}

import { FORGOTTEN } from "@innkey/shared/words";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { showBulletin } from "../../access/public.ts";

/**
 * Where people write what they like about people, beside the person's own row. `$2` is what finds the person, `$3` what
 * takes its place, `$4` whose stays.
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

/** A code that still opens a door, or belongs to the stay of somebody else, is nobody's but theirs. */
const ENDED = "stay_id IS NULL AND (deleted_at IS NOT NULL OR valid_to < $4::timestamptz)";
/** A guest's card of no stay may be called after whom it was written for. */
const ENDED_CARD = `kind = 'guest' AND stay_id IS NULL
  AND (state IN ('revoking', 'revoked') OR valid_to < $4::timestamptz)`;
const IN_HOUSE = [
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
/** Told to other programs, asked of exports, told to the desk. */
const IN_RECORDS = [
  updateJson("webhook_delivery", "payload"),
  updateJson("export", "request"),
  updateJson("message", "params"),
];

/** Takes a person out of what was written about stays of theirs that others shared. */
export async function redactStays(unit: Unit, pattern: string, stayIds: readonly number[]): Promise<void> {
  for (const statement of IN_STAYS) await unit.sql.rows(statement, pattern, FORGOTTEN, [...stayIds]);
}

/** Takes a person out of everything else that was written in the house. */
export async function redactHotel(unit: Unit, pattern: string, now: Date): Promise<void> {
  for (const statement of IN_HOUSE) await unit.sql.rows(statement, pattern, FORGOTTEN, now);
  for (const statement of IN_RECORDS) await unit.sql.rows(statement, pattern, FORGOTTEN);
}

/** Takes a person out of what doors show; their displays get the text anew. */
export async function redactDisplays(scope: Scope, unit: Unit, pattern: string): Promise<void> {
  const rooms = await unit.sql.rows<{ id: number; bulletin: string }>(
    `${update("room", ["bulletin"], "true")} RETURNING id, bulletin`,
    pattern,
    FORGOTTEN,
  );
  for (const { id, bulletin } of rooms) await showBulletin(scope, unit, id, bulletin);
}

/** Nothing is left of what was written about stays that the person had alone. Returns how many codes were theirs. */
export async function blankStays(unit: Unit, stayIds: readonly number[]): Promise<number> {
  const ids = [...stayIds];
  await unit.sql.rows("UPDATE stay SET other_information = '' WHERE hotel_id = $1 AND id = ANY ($2::int[])", ids);
  await unit.sql.rows("UPDATE card SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[])", ids);
  await unit.sql.rows(
    "UPDATE orders SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) AND note <> ''",
    ids,
  );
  const codes = await unit.sql.rows(
    "UPDATE passcode SET person = $3, note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) RETURNING id",
    ids,
    FORGOTTEN,
  );
  return codes.length;
}

import { FORGOTTEN } from "@innkey/shared/words";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { showBulletin } from "../../access/public.ts";

/**
 * Statements that redact free text outside the person's own row. `$2`: pattern that finds the person, `$3`:
 * replacement, `$4`: stays, or the current time.
 */
const redactedSql = (column: string): string => `regexp_replace(${column}, $2, $3, 'gi')`;
const updateSql = (table: string, columns: readonly string[], where: string): string =>
  `UPDATE ${table} SET ${columns.map((column) => `${column} = ${redactedSql(column)}`).join(", ")}
    WHERE hotel_id = $1 AND (${columns.map((column) => `${column} ~* $2`).join(" OR ")}) AND ${where}`;

const OF_STAYS = "stay_id = ANY ($4::int[])";
const IN_STAYS = [
  updateSql("stay", ["other_information", "no_show_reason"], "id = ANY ($4::int[])"),
  updateSql("passcode", ["person", "note"], OF_STAYS),
  updateSql("card", ["note"], OF_STAYS),
  updateSql("folio_entry", ["note"], OF_STAYS),
  updateSql("occupancy", ["note"], OF_STAYS),
];

/** Door codes of no stay that no longer open. A code still in use, or of another person's stay, names that person. */
const ENDED = "stay_id IS NULL AND (deleted_at IS NOT NULL OR valid_to < $4::timestamptz)";
/** Guest cards of no stay that no longer open; their note may name the person. */
const ENDED_CARD = `kind = 'guest' AND stay_id IS NULL
  AND (state IN ('revoking', 'revoked') OR valid_to < $4::timestamptz)`;
const IN_HOTEL = [
  updateSql("stay", ["other_information", "no_show_reason"], "$4::timestamptz IS NOT NULL"),
  updateSql("passcode", ["person", "note"], ENDED),
  updateSql("card", ["note"], ENDED_CARD),
  updateSql("folio_entry", ["note"], "$4::timestamptz IS NOT NULL"),
  updateSql("occupancy", ["note"], "$4::timestamptz IS NOT NULL"),
  updateSql("credential", ["note"], "$4::timestamptz IS NOT NULL"),
  updateSql("export", ["file_name"], "$4::timestamptz IS NOT NULL"),
  updateSql("customer", ["note"], "$4::timestamptz IS NOT NULL"),
  updateSql("customer", ["name"], "kind = 'person' AND deleted_at <= $4::timestamptz"),
  updateSql("hand_over_note", ["text"], "$4::timestamptz IS NOT NULL"),
  updateSql("night_audit", ["note"], "$4::timestamptz IS NOT NULL"),
  updateSql("room", ["notice", "remark_name", "description"], "$4::timestamptz IS NOT NULL"),
  updateSql("unlock_record", ["opening_note"], "opening_note <> '' AND $4::timestamptz IS NOT NULL"),
  updateSql("lock_command", ["opening_note"], "opening_note <> '' AND $4::timestamptz IS NOT NULL"),
  updateSql("card_reader", ["note"], "$4::timestamptz IS NOT NULL"),
  `UPDATE hotel SET notice = ${redactedSql("notice")} WHERE id = $1 AND notice ~* $2 AND $4::timestamptz IS NOT NULL`,
];
/** Payloads of webhooks, filters of exports and parameters of alerts. */
const IN_RECORDS = [
  { table: "webhook_delivery", column: "payload" },
  { table: "export", column: "request" },
  { table: "alert", column: "params" },
];
/**
 * `$2`: persons' stays, `$3`: replacement, `$4`: the person. Every name that isn't another guest's of the stay was the
 * person's, perhaps before it was corrected.
 */
const NAMES_IN_EVENTS = `UPDATE webhook_delivery d SET payload = jsonb_set(d.payload, '{guestName}', to_jsonb($3::text))
  WHERE d.hotel_id = $1 AND d.payload ->> 'stayId' = ANY ($2::text[]) AND d.payload ->> 'guestName' IS NOT NULL
    AND NOT EXISTS (SELECT FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE sg.hotel_id = $1 AND sg.stay_id::text = d.payload ->> 'stayId' AND sg.guest_id <> $4::int
        AND g.name = d.payload ->> 'guestName')`;

/** Redacts a person in texts about stays that they shared with others. */
export async function redactStays(tx: Transaction, pattern: string, stayIds: readonly number[]): Promise<void> {
  for (const statement of IN_STAYS) await tx.sql.rows(statement, pattern, FORGOTTEN, [...stayIds]);
}

/** Redacts a person in all other texts of the hotel. */
export async function redactHotel(tx: Transaction, pattern: string, now: Date): Promise<void> {
  for (const statement of IN_HOTEL) await tx.sql.rows(statement, pattern, FORGOTTEN, now);
  for (const { table, column } of IN_RECORDS) await redactJson(tx, table, column, pattern);
}

/** SQL: a JSON column as text without escapes, to search each row once before its values. */
const unescaped = (column: string): string => String.raw`replace(replace(${column}::text, '\"', '"'), '\\', '\')`;

/**
 * Redacts a person in the texts of a JSON column. Numbers stay, because an id or an amount may equal a phone number.
 */
async function redactJson(tx: Transaction, table: string, column: string, pattern: string): Promise<void> {
  const texts = await tx.sql.rows<{ text: string; redacted: string }>(
    `SELECT DISTINCT v #>> '{}' AS text, ${redactedSql("v #>> '{}'")} AS redacted
      FROM (SELECT ${column} AS content FROM ${table} WHERE hotel_id = $1 AND ${unescaped(column)} ~* $2) t,
        jsonb_path_query(t.content, '$.**') v
      WHERE jsonb_typeof(v) = 'string' AND v #>> '{}' ~* $2`,
    pattern,
    FORGOTTEN,
  );
  for (const { text, redacted: replacement } of texts) {
    await tx.sql.rows(
      `UPDATE ${table} SET ${column} = replace(${column}::text, to_jsonb($2::text)::text, to_jsonb($3::text)::text)::jsonb
        WHERE hotel_id = $1 AND strpos(${column}::text, to_jsonb($2::text)::text) > 0`,
      text,
      replacement,
    );
  }
}

/** Redacts a person's name in what webhooks send, or sent, about their stays. */
export async function redactEvents(tx: Transaction, guestId: number, stayIds: readonly number[]): Promise<void> {
  await tx.sql.rows(NAMES_IN_EVENTS, stayIds.map(String), FORGOTTEN, guestId);
}

/** Redacts a person in the texts that door displays show, and sends the changed texts to the displays. */
export async function redactDisplays(scope: Scope, tx: Transaction, pattern: string): Promise<void> {
  const rooms = await tx.sql.rows<{ id: number; bulletin: string }>(
    `${updateSql("room", ["bulletin"], "true")} RETURNING id, bulletin`,
    pattern,
    FORGOTTEN,
  );
  for (const { id, bulletin } of rooms) await showBulletin(scope, tx, id, bulletin);
}

/** Clears all texts about stays that the person had alone. Returns how many door codes were cleared. */
export async function blankStays(tx: Transaction, stayIds: readonly number[]): Promise<number> {
  const ids = [...stayIds];
  await tx.sql.rows(
    "UPDATE stay SET other_information = '', no_show_reason = '' WHERE hotel_id = $1 AND id = ANY ($2::int[])",
    ids,
  );
  await tx.sql.rows("UPDATE card SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[])", ids);
  await tx.sql.rows(
    "UPDATE folio_entry SET note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) AND note <> ''",
    ids,
  );
  const codes = await tx.sql.rows(
    "UPDATE passcode SET person = $3, note = '' WHERE hotel_id = $1 AND stay_id = ANY ($2::int[]) RETURNING id",
    ids,
    FORGOTTEN,
  );
  return codes.length;
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const escapeRegExp = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
const asWholeWord = (pattern: string): string => `(?<![[:alnum:]])${pattern}(?![[:alnum:]])`;

/** Matches a name with any white space between its parts, but not inside another word. */
function namePattern(name: string): string {
  const spaced = name.trim().split(/\s+/u).map(escapeRegExp).join("\\s+");
  return UNSPACED.test(name) ? spaced : asWholeWord(spaced);
}

/** Matches a number with any spaces, dots, dashes and brackets. */
function numberPattern(number: string): string {
  return asWholeWord([...number.replace(/[\s\-./()]/gu, "")].map(escapeRegExp).join("[-\\s./()]*"));
}

export interface Identity {
  name: string;
  mobile: string;
  email: string;
  documentNumber: string;
}

/**
 * Returns a pattern for the parts of a name, for texts that concern this person, without the parts shared with
 * `others`; null if none is left.
 */
export function namePartsOf(name: string, others: readonly string[]): string | null {
  const wordsOf = (text: string): string[] => text.trim().split(/\s+/u);
  const theirs = new Set(others.flatMap(wordsOf).map((word) => word.toLowerCase()));
  const parts = wordsOf(name).filter((word) => word.length > 2 && !theirs.has(word.toLowerCase()));
  return parts.length === 0 ? null : parts.map(namePattern).join("|");
}

/**
 * Returns a case-insensitive PostgreSQL regular expression that finds an identity in free text; null if there is
 * nothing to look for. Numbers of up to four characters are left out, because they aren't specific enough.
 */
export function mentionsOf({ name, mobile, email, documentNumber }: Identity, withName: boolean): string | null {
  const parts = [
    ...(withName && name.trim().length > 1 ? [namePattern(name)] : []),
    ...[mobile, documentNumber].filter((number) => number.length > 4).map(numberPattern),
    ...(email === "" ? [] : [asWholeWord(escapeRegExp(email))]),
  ];
  return parts.length === 0 ? null : parts.join("|");
}

/**
 * Checks whether a name identifies a person: it must be more than a given name, so that a note about another Ann is
 * left alone.
 */
export function isFullName(name: string): boolean {
  return /\p{L}\s+\p{L}/u.test(name.trim()) || (UNSPACED.test(name) && name.trim().length > 1);
}

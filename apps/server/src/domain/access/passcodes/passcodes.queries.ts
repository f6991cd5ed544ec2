import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/passcodes";
import type { z } from "zod";
import { type HotelQuery, type HotelSql, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { requireVisibleRoom } from "../../property/public.ts";
import { CREDENTIAL_JOINS, credentialJson, overruns } from "../credentials/credentials.ts";

/**
 * SQL condition: the caller sees the code in the row `passcode`; `rooms` is the parameter with `scope.roomIds`, `$1` the
 * hotel. Staff see a code that is or was at one of their doors and opens no other but the common doors of its stay,
 * because knowing it would open that one too, also while its lock has not confirmed the removal or the door waits for its next lock. It is text and no SQL function, because PostgreSQL would call a function with subqueries once per row.
 */
export function visiblePasscodeSql(passcode: string, rooms: string): string {
  return `(${rooms}::int[] IS NULL OR (
    EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = ${passcode}.id AND c.room_id = ANY (${rooms}::int[]))
    AND NOT EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = ${passcode}.id
      AND (c.state <> 'revoked' OR c.revoke_reason = 'lock_moved' AND ${passcode}.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM credential n WHERE n.passcode_id = c.passcode_id AND n.room_id = c.room_id AND n.id > c.id))
      AND c.room_id = ANY (${rooms}::int[]) IS NOT TRUE AND (c.room_id IS NOT NULL OR c.stay_id IS NULL))))`;
}

/** The condition for code `p` if `$2` are the caller's rooms. */
const VISIBLE = visiblePasscodeSql("p", "$2");

/**
 * Locks the passcode until the transaction ends, so that no door can be added meanwhile. @throws not_found for a code
 * that doesn't exist, or that the caller can't see
 */
export async function requirePasscode(scope: Scope, sql: HotelSql, passcodeId: number): Promise<void> {
  const rows = await sql.rows(
    `SELECT p.id FROM passcode p WHERE p.hotel_id = $1 AND p.id = $3::int AND ${VISIBLE} FOR UPDATE OF p`,
    scope.roomIds,
    passcodeId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

type Input<S extends z.ZodType> = z.infer<S>;
type Row = Input<typeof schema.passcodeRow> & { total: number };

/** The lock accepts no counter below its minimum: this one-time code, or a later one, was used. */
const PASSED_OVER = "(p.type = 'one_time' AND p.otp_counter < l.otp_floor)";
const OPENS_DOOR = `c.state NOT IN ('revoking', 'revoked') AND NOT ${PASSED_OVER}
  AND NOT (p.type = 'one_time' AND c.state = 'used')`;
/** State of the credential. A one-time code below the lock's minimum counts as revoked. */
const STATE = `CASE WHEN c.state = 'confirmed' AND ${PASSED_OVER} THEN 'revoked' ELSE c.state END`;

/**
 * Status of code `p`, one of KEY_STATUSES: at the door of room $5, or over all doors that the caller sees. Statuses
 * that need attention take precedence. A code whose period is over, or that was used up, is `expired`.
 */
const STATUS = `(SELECT CASE
    WHEN bool_or(c.state = 'revoking') AND (bool_and(c.state IN ('revoking', 'revoked')) OR p.valid_to <= $3::timestamptz) THEN 'revoking'
    WHEN bool_or(${overruns("$3", "c")}) THEN 'revoking'
    WHEN p.deleted_at IS NOT NULL THEN 'revoked'
    WHEN p.valid_to <= $3::timestamptz OR bool_or(p.type = 'one_time' AND c.state = 'used') THEN 'expired'
    WHEN bool_or(c.state = 'failed') THEN 'failed'
    WHEN bool_or(c.state IN ('queued', 'sent')) THEN 'pending'
    WHEN bool_or(${OPENS_DOOR}) THEN 'active' ELSE 'revoked' END
  FROM credential c JOIN lock l ON l.id = c.lock_id
  WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND ($2::int[] IS NULL OR c.room_id = ANY ($2::int[]))
    AND ($5::int IS NULL OR c.room_id = $5))`;

/**
 * A code is live until it is revoked, its period is over, it was used (one-time codes), or no door accepts it any more,
 * for example after check-out. Its credentials may still be `revoking` then.
 */
const LIST = `
WITH listed AS (
  SELECT p.*, e.ended FROM passcode p
  CROSS JOIN LATERAL (SELECT p.deleted_at IS NOT NULL OR coalesce(p.valid_to <= $3::timestamptz, false) OR NOT EXISTS (
    SELECT FROM credential c JOIN lock l ON l.id = c.lock_id
     WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND ${OPENS_DOOR}) AS ended) e
  WHERE p.hotel_id = $1 AND ${VISIBLE}
    AND e.ended = $4::boolean
    AND ($5::int IS NULL OR EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = p.id
      AND c.room_id = $5 AND (e.ended OR c.state NOT IN ('revoking', 'revoked'))))
    AND ($6::int IS NULL OR p.stay_id = $6)
    AND ($7::text IS NULL OR p.type::text = $7)
    AND ($11::text IS NULL OR ${STATUS} = $11)
    AND (${containsWords("$8", "p.search_key", "search_text(p.note)")} OR EXISTS (SELECT FROM credential c JOIN room r ON r.id = c.room_id
      WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND ($2::int[] IS NULL OR r.id = ANY ($2::int[])) AND ${containsWords("$8", "r.search_key")}))
), cut AS (
  SELECT *, count(*) OVER ()::int AS total FROM listed ORDER BY created_at DESC, id DESC LIMIT $9 OFFSET $10
)
SELECT p.id, p.type::text AS type, p.person, p.note, d."roomNames", p.stay_id AS "stayId",
  (SELECT g.stay_guest_id FROM primary_guest g WHERE g.stay_id = p.stay_id) AS "stayGuestId",
  iso(p.valid_from) AS "validFrom", iso(p.valid_to) AS "validTo", p.hours, iso(p.created_at) AS "createdAt",
  (SELECT name FROM operator WHERE id = p.created_by_id) AS "operatorName", iso(p.deleted_at) AS "deletedAt",
  ${STATUS} AS standing, d.credentials, p.total
FROM cut p
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(${credentialJson("p.person", STATE)} ORDER BY c.id), '[]') AS credentials,
    coalesce(string_agg(DISTINCT r.name, ', ') FILTER (WHERE p.ended OR ${OPENS_DOOR}), '') AS "roomNames"
  FROM credential c ${CREDENTIAL_JOINS}
  WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND ($2::int[] IS NULL OR c.room_id = ANY ($2::int[]))
) d
ORDER BY p.created_at DESC, p.id DESC`;

type ListInput = Input<typeof schema.passcodesInput>;

/** Returns the statement of the list; without `page` it selects everything that matches. */
export function passcodeListQuery(
  scope: Scope,
  input: Omit<ListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const values = [
    scope.roomIds,
    scope.now(),
    input.state === "ended",
    input.roomId ?? null,
    input.stayId ?? null,
    input.type ?? null,
    searchQuery(input.query),
    ...limits(page),
    input.standing ?? null,
  ];
  return { text: LIST, values };
}

/** Returns codes with their status at each door, newest first. The digits are never included. @throws no_permission */
export async function list(scope: Scope, input: ListInput): Promise<Input<typeof schema.passcodePage>> {
  scope.require("passcodes.view");
  if (input.roomId !== undefined) await requireVisibleRoom(scope, input.roomId);
  const { text, values } = passcodeListQuery(scope, input, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

const STATUS_OF_CODE = `
SELECT p.id, ${STATUS} AS standing, k.state::text AS "commandState",
  iso(greatest(p.created_at, p.deleted_at, k.created_at, k.sent_at, k.ended_at)) AS "changedAt"
FROM passcode p
LEFT JOIN LATERAL (
  SELECT k.state, k.created_at, k.sent_at, k.ended_at FROM lock_command k JOIN credential c ON c.id = k.credential_id
   WHERE k.hotel_id = $1 AND c.hotel_id = $1 AND c.passcode_id = p.id ORDER BY k.seq DESC LIMIT 1
) k ON true
WHERE p.hotel_id = $1 AND p.id = $4::int AND ${VISIBLE}`;

/**
 * Returns the status of one code and the result of its latest lock command, for clients that wait for it. @throws
 * no_permission, not_found
 */
export async function readStatus(
  scope: Scope,
  { passcodeId }: Input<typeof schema.passcodeRef>,
): Promise<Input<typeof schema.passcodeStatus>> {
  scope.require("passcodes.view");
  const [row] = await scope.sql.rows<Input<typeof schema.passcodeStatus>>(
    STATUS_OF_CODE,
    scope.roomIds,
    scope.now(),
    passcodeId,
    null,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

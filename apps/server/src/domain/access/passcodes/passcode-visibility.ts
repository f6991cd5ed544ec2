import { DomainError } from "@innkey/shared/errors";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * Condition for the caller to see passcode `p`; `$2` is `scope.roomIds`. Staff see a code that is or was at one of
 * their doors and opens no other, because knowing it would open that one too.
 */
export const PASSCODE_VISIBLE = `($2::int[] IS NULL OR (
  EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = p.id AND c.room_id = ANY ($2::int[]))
  AND NOT EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.passcode_id = p.id
    AND c.state NOT IN ('revoking', 'revoked') AND c.room_id = ANY ($2::int[]) IS NOT TRUE)))`;

/**
 * Locks the passcode until the transaction ends, so that no door can be added meanwhile. @throws not_found for a code
 * that doesn't exist, or that the caller can't see
 */
export async function requirePasscode(scope: Scope, sql: HotelSql, passcodeId: number): Promise<void> {
  const rows = await sql.rows(
    `SELECT p.id FROM passcode p WHERE p.hotel_id = $1 AND p.id = $3::int AND ${PASSCODE_VISIBLE} FOR UPDATE OF p`,
    scope.roomIds,
    passcodeId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

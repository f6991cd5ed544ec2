import type { FirstSteps } from "@innkey/shared/schemas/overview/first-steps";
import type { Scope } from "../../kernel/scope.ts";

const FIRST_STEPS = `
  SELECT
    (SELECT count(*)::int FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL) AS rooms,
    (SELECT count(*)::int FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM room_price p WHERE p.room_id = r.id)) AS "roomsWithoutPrice",
    (SELECT count(*)::int FROM card_reader c WHERE c.hotel_id = $1) AS "cardReaders",
    (SELECT count(*)::int FROM lock l WHERE l.hotel_id = $1 AND l.room_id IS NOT NULL AND l.deleted_at IS NULL) AS locks,
    (SELECT count(*)::int FROM lock l WHERE l.hotel_id = $1 AND l.room_id IS NOT NULL AND l.deleted_at IS NULL
      AND l.configured_at IS NOT NULL) AS "locksSetUp",
    (SELECT count(*)::int FROM membership m WHERE m.hotel_id = $1 AND m.operator_id <> $2::int) AS colleagues,
    EXISTS (SELECT FROM stay s WHERE s.hotel_id = $1 AND s.checked_in_at IS NOT NULL) AS "hasCheckedIn"`;

/** Returns how far a new hotel is with what it needs before its first guest. @throws no_permission */
export async function readFirstSteps(scope: Scope): Promise<FirstSteps> {
  scope.require("hotel.manage");
  const [steps] = await scope.sql.rows<FirstSteps>(FIRST_STEPS, scope.operatorId);
  if (!steps) throw new Error("the query of the first steps returned no row");
  return steps;
}

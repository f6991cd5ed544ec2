import type { Scope } from "../../../kernel/scope.ts";

/** Document numbers compare without spaces, dashes and case; stored encrypted, found by keyed hash (source: domain rules, Privacy). */
export function normalDocumentNumber(value: string): string {
  return value.replace(/[\s\-./]/g, "").toUpperCase();
}

/**
 * SQL: whether the caller may see the person in the row `guest`: one who is or was on a stay in their rooms; a reservation
 * that was cancelled, or moved to another room, never was there. `rooms` is the parameter with `scope.roomIds`, `$1` the
 * hotel. Whatever finds, compares or changes people by what somebody typed asks this, so that no answer and no change tells
 * of a person whom the caller can't see.
 */
export function isVisible(guest: string, rooms: string): string {
  return `(${rooms}::int[] IS NULL OR EXISTS (
    SELECT FROM stay_guest visible_sg JOIN occupancy visible_o ON visible_o.hotel_id = $1 AND visible_o.stay_id = visible_sg.stay_id
     WHERE visible_sg.hotel_id = $1 AND visible_sg.guest_id = ${guest}.id AND visible_o.state <> 'cancelled'
       AND visible_o.room_id = ANY (${rooms}::int[])))`;
}

/**
 * SQL: whether the person in the row `guest` is, or is expected, in a room that the caller wasn't granted. Then what the
 * caller types about them is written down as a new person: the one in the other room is not theirs to change.
 */
export function isElsewhere(guest: string, rooms: string): string {
  return `(${rooms}::int[] IS NOT NULL AND EXISTS (
    SELECT FROM stay_guest elsewhere_sg JOIN occupancy elsewhere_o ON elsewhere_o.hotel_id = $1 AND elsewhere_o.stay_id = elsewhere_sg.stay_id
     WHERE elsewhere_sg.hotel_id = $1 AND elsewhere_sg.guest_id = ${guest}.id
       AND elsewhere_o.state IN ('held', 'in_house') AND elsewhere_o.room_id <> ALL (${rooms}::int[])))`;
}

/**
 * Returns the hashes by which a person's document is found; nothing for callers who may not see documents, because
 * unlimited guessing would reveal the number. A test ensures that only this function computes them.
 */
export function documentHashes(scope: Scope, typed: string): Buffer[] {
  const number = normalDocumentNumber(typed);
  return number !== "" && scope.can("guests.documents") ? scope.secrets.document.fingerprints(number) : [];
}

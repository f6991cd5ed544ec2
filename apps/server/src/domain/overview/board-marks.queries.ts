import type { BoardMark } from "@innkey/shared/schemas/overview/board-marks";
import type { Scope } from "../../kernel/scope.ts";
import { endOfDay } from "../property/public.ts";

/** A hotel has no more stays in the house than rooms; reservations that nobody came for are few. */
const MAX_MARKS = 3_000;

/**
 * Stays in the house, and those that still arrive today, if something of them is missing. $2: now, $3: the end of the
 * local day, $4: the caller's rooms (null: all), $5 and $6: whether the caller may see money and cards.
 */
const MARKS = `WITH shown AS (
    SELECT s.id, s.room_id, s.state FROM stay_now s
    WHERE s.hotel_id = $1 AND (s.state = 'checked_in' OR (s.state = 'reserved' AND s.starts_at < $3::timestamptz))
      AND ($4::int[] IS NULL OR s.room_id = ANY ($4::int[]))
    ORDER BY s.id LIMIT $7::int
  ),
  owing AS (
    SELECT stay_id, owed_minor FROM owing_stay
    WHERE hotel_id = $1 AND $5::boolean AND stay_id = ANY (ARRAY (SELECT id FROM shown))
  ),
  marked AS (
    SELECT s.id AS "stayId", s.room_id AS "roomId", o.owed_minor::float8 AS "owedMinor",
      CASE WHEN NOT $6::boolean OR s.state <> 'checked_in'
          OR NOT EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.room_id = s.room_id) THEN NULL
        WHEN EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.stay_id = s.id AND c.room_id = s.room_id
          AND c.state IN ('queued', 'sent')
          AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)) THEN 'waiting'
        WHEN NOT EXISTS (SELECT FROM card k WHERE k.hotel_id = $1 AND k.stay_id = s.id AND k.state = 'active'
            AND is_valid_card(k.state, k.valid_to, $2::timestamptz))
          AND NOT EXISTS (SELECT FROM passcode p WHERE p.hotel_id = $1 AND p.stay_id = s.id AND p.deleted_at IS NULL
            AND (p.valid_to IS NULL OR p.valid_to > $2::timestamptz))
          AND NOT EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.stay_id = s.id AND c.room_id = s.room_id
            AND c.state IN ('confirmed', 'used') AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)) THEN 'none'
      END AS key
    FROM shown s LEFT JOIN owing o ON o.stay_id = s.id
  )
  SELECT * FROM marked WHERE "owedMinor" IS NOT NULL OR key IS NOT NULL ORDER BY "roomId", "stayId"`;

/**
 * Returns which guests on the board owe something or lack a key. The board is read far more often and by people who may
 * not see this, so it doesn't contain it. @throws no_permission
 */
export async function boardMarks(scope: Scope): Promise<BoardMark[]> {
  scope.require("stays.view");
  const now = scope.now().toISOString();
  return scope.sql.prepared<BoardMark>(
    "board-marks",
    MARKS,
    now,
    endOfDay(now, scope.hotel.timeZone),
    scope.roomIds,
    scope.can("folio.view"),
    scope.can("cards.view"),
    MAX_MARKS,
  );
}

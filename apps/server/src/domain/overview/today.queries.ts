import { addDays, atLocal, localDate } from "@innkey/shared/hotel-time";
import type { TodayStay } from "@innkey/shared/schemas/overview/today";
import type { Scope } from "../../kernel/scope.ts";

/** A hotel has no more stays in the house than rooms; reservations that nobody came for are few. */
const MAX_STAYS = 3_000;

/**
 * Stays in the house, and reservations until the end of the day. $2: now, $3: the end of the local day, $4: the
 * caller's rooms (null: all), $5 and $6: whether the caller may see money and cards.
 */
const TODAY = `WITH shown AS (
    SELECT s.id, s.state, s.starts_at, s.ends_at, s.room_id FROM stay_now s
    WHERE s.hotel_id = $1 AND (s.state = 'checked_in' OR (s.state = 'reserved' AND s.starts_at < $3::timestamptz))
      AND ($4::int[] IS NULL OR s.room_id = ANY ($4::int[]))
    ORDER BY s.ends_at LIMIT $7::int
  ),
  party AS (
    SELECT sg.stay_id, max(sg.id) FILTER (WHERE sg."primary") AS stay_guest_id,
      max(g.name) FILTER (WHERE sg."primary") AS name, count(*)::int AS guests,
      (count(*) FILTER (WHERE g.document_number_box IS NULL))::int AS without_document
    FROM shown JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = shown.id
    JOIN guest g ON g.hotel_id = $1 AND g.id = sg.guest_id GROUP BY sg.stay_id
  ),
  again AS (
    SELECT DISTINCT w.stay_id FROM card_to_rewrite w
    WHERE w.hotel_id = $1 AND $6::boolean AND w.stay_id = ANY (ARRAY (SELECT id FROM shown WHERE state = 'checked_in'))
  )
  SELECT s.id AS "stayId", s.state::text AS state, p.stay_guest_id AS "stayGuestId", p.name AS "guestName",
    p.guests AS "guestCount", r.id AS "roomId", r.name AS "roomName", iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
    CASE WHEN $5::boolean THEN (SELECT a.owed_minor::float8 FROM stay_account a WHERE a.hotel_id = $1 AND a.stay_id = s.id)
      END AS "owedMinor",
    p.without_document AS "documentsMissing",
    (SELECT iso(max(k.late_until)) FROM guest_link k JOIN stay_guest x ON x.id = k.stay_guest_id
      WHERE k.hotel_id = $1 AND x.stay_id = s.id AND s.state = 'checked_in' AND k.revoked_at IS NULL
        AND k.late_declined_at IS NULL AND k.late_until > s.ends_at) AS "lateUntil",
    (SELECT count(*)::int FROM pre_check_in c JOIN stay_guest x ON x.id = c.stay_guest_id
      WHERE c.hotel_id = $1 AND x.stay_id = s.id AND c.answered_at IS NULL) AS "preCheckIns",
    (SELECT min(nullif(c.arrival_time, '')) FROM pre_check_in c JOIN stay_guest x ON x.id = c.stay_guest_id
      WHERE c.hotel_id = $1 AND x.stay_id = s.id AND s.state = 'reserved') AS "arrivalTime",
    (SELECT x.checked_in_by_guest AND s.state = 'checked_in' AND x.checked_in_at > $2::timestamptz - interval '24 hours'
      FROM stay x WHERE x.id = s.id) IS TRUE AS "checkedInByGuest",
    CASE WHEN NOT $6::boolean THEN NULL
      WHEN NOT EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.room_id = r.id) THEN 'no_lock'
      WHEN again.stay_id IS NOT NULL THEN 'again'
      WHEN EXISTS (SELECT FROM card k WHERE k.hotel_id = $1 AND k.stay_id = s.id AND k.state = 'active'
          AND is_valid_card(k.state, k.valid_to, $2::timestamptz))
        OR EXISTS (SELECT FROM passcode c WHERE c.hotel_id = $1 AND c.stay_id = s.id AND c.deleted_at IS NULL
          AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)) THEN 'written'
      ELSE 'none' END AS key,
    CASE WHEN s.state = 'checked_in' THEN NULL
      WHEN EXISTS (SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id AND o.kind = 'stay' AND o.state = 'in_house')
        THEN 'occupied'
      WHEN EXISTS (SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id AND o.kind = 'maintenance'
          AND o.state IN ('held', 'in_house') AND o.starts_at <= $2::timestamptz
          AND (o.ends_at IS NULL OR o.ends_at > $2::timestamptz)) THEN 'maintenance'
      WHEN r.condition = 'dirty' THEN 'dirty' ELSE 'ready' END AS room
  FROM shown s JOIN room r ON r.hotel_id = $1 AND r.id = s.room_id JOIN party p ON p.stay_id = s.id
  LEFT JOIN again ON again.stay_id = s.id
  ORDER BY CASE s.state WHEN 'reserved' THEN s.starts_at ELSE s.ends_at END, r.sort, r.id, s.id`;

/**
 * Returns who still arrives today and who is in the house, with what the desk looks at before it acts: money, documents
 * and keys. @throws no_permission
 */
export async function today(scope: Scope): Promise<TodayStay[]> {
  scope.require("stays.view");
  const now = scope.now().toISOString();
  const { timeZone } = scope.hotel;
  return scope.sql.prepared<TodayStay>(
    "today",
    TODAY,
    now,
    atLocal(addDays(localDate(now, timeZone), 1), "00:00", timeZone),
    scope.roomIds,
    scope.can("folio.view"),
    scope.can("cards.view"),
    MAX_STAYS,
  );
}

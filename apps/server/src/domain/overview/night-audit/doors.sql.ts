/**
 * Unusual openings of a business day. $2: its start, $3: time to which the figures refer, $4: the caller's rooms (null:
 * all), $5: maximum number per kind; `total` counts all of them.
 * After check-out: opened with a key of a stay that had ended. Vacant room: opened while no one occupied it, by
 * something other than a guest's key: a staff or master key card, a door code without a stay, the console, or the
 * mechanical key.
 */
export const OPENINGS = `
  WITH opened AS (
    SELECT u.*, c.kind::text AS card_kind, c.note AS card_note, p.person, t.id IS NOT NULL AND t.kind = 'passcode' AS coded,
      coalesce(sg.stay_id, t.stay_id, c.stay_id) AS stay_id
      FROM unlock_record u
      LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
      LEFT JOIN credential t ON t.id = u.credential_id
      LEFT JOIN passcode p ON p.id = t.passcode_id
      LEFT JOIN card c ON c.id = u.card_id
     WHERE u.hotel_id = $1 AND u.success AND u.at >= $2::timestamptz AND u.at < $3::timestamptz AND u.room_id IS NOT NULL
       AND ($4::int[] IS NULL OR u.room_id = ANY ($4::int[]))
  ), evidence AS (
    SELECT 'afterCheckOut' AS list, o.* FROM opened o JOIN stay s ON s.id = o.stay_id AND s.checked_out_at < o.at
    UNION ALL
    SELECT 'vacantOpened' AS list, o.* FROM opened o
     WHERE o.stay_id IS NULL
       AND (o.card_kind IN ('management', 'universal') OR o.coded OR o.operator_id IS NOT NULL OR o.style IN ('remote', 'key'))
       AND NOT EXISTS (
         SELECT FROM occupancy x JOIN stay s ON s.id = x.stay_id
          WHERE x.hotel_id = $1 AND x.room_id = o.room_id AND x.starts_at <= o.at AND s.checked_in_at <= o.at
            AND (x.state = 'in_house' OR (x.state = 'ended' AND x.ends_at > o.at)))
  ), placed AS (
    SELECT e.*, count(*) OVER (PARTITION BY e.list)::int AS total,
      row_number() OVER (PARTITION BY e.list ORDER BY e.at DESC, e.id DESC) AS place FROM evidence e
  )
  SELECT e.list, e.total, e.id::text AS "recordId", e.room_id AS "roomId", r.name AS "roomName", iso(e.at) AS at,
    e.style::text AS style, coalesce(op.name, e.person, CASE WHEN e.card_kind <> 'guest' THEN e.card_note END, '') AS who,
    g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
    FROM placed e JOIN room r ON r.id = e.room_id
    LEFT JOIN operator op ON op.id = e.operator_id
    LEFT JOIN primary_guest g ON g.stay_id = e.stay_id
   WHERE e.place <= $5::int ORDER BY e.list, e.place`;

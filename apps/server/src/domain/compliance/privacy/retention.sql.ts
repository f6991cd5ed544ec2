/**
 * Guests whose retention is over. `$2` is the time before which they must have left. Guests in house or expected are
 * spared; one without any stay counts from the creation of their record.
 */
const LEFT_BEFORE = `NOT EXISTS (SELECT FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id
    WHERE sg.guest_id = g.id AND (s.state IN ('reserved', 'checked_in')
      OR coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) >= $2::timestamptz))
  AND g.created_at < $2::timestamptz`;

/** A face without a guest that had access only for stays belongs to a guest of those stays. */
const STAY_FACE = `f.guest_id IS NULL
  AND EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id)
  AND NOT EXISTS (SELECT FROM credential c LEFT JOIN stay s ON s.id = c.stay_id
    WHERE c.hotel_id = $1 AND c.face_id = f.id AND (s.id IS NULL OR s.state IN ('reserved', 'checked_in')
      OR coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) >= $2::timestamptz))`;

const HAS_DOCUMENT = "(g.document_number_box IS NOT NULL OR g.document_type IS NOT NULL)";
const HAS_FACE = "EXISTS (SELECT FROM face f WHERE f.hotel_id = $1 AND f.guest_id = g.id AND f.deleted_at IS NULL)";

/** `$3`: limit, `$4`: only these guests, or null. Locks the guests against a concurrent check-in. */
export const DUE_GUESTS = `SELECT g.id, ${HAS_DOCUMENT} AS "hasDocument" FROM guest g
  WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND (${HAS_DOCUMENT} OR ${HAS_FACE}) AND ${LEFT_BEFORE}
    AND ($4::int[] IS NULL OR g.id = ANY ($4::int[]))
  ORDER BY g.id LIMIT $3::int FOR UPDATE OF g`;

/** `$3`: guests, `$4`: limit for faces without a guest. */
export const DUE_FACES = `(SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND f.guest_id = ANY ($3::int[]))
  UNION ALL
  (SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND ${STAY_FACE} ORDER BY f.id LIMIT $4::int)`;

export const DUE_COUNT = `
  WITH due AS (SELECT g.id, ${HAS_DOCUMENT} AS document FROM guest g
    WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND (${HAS_DOCUMENT} OR ${HAS_FACE}) AND ${LEFT_BEFORE})
  SELECT (SELECT count(*) FROM due)::int AS guests, (SELECT count(*) FROM due WHERE document)::int AS documents,
    ((SELECT count(*) FROM face f JOIN due ON due.id = f.guest_id WHERE f.hotel_id = $1 AND f.deleted_at IS NULL)
     + (SELECT count(*) FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND ${STAY_FACE}))::int AS faces`;

import { DAY_MS } from "@innkey/shared/durations";
import { atLocal, localDate } from "@innkey/shared/hotel-time";
import { languageOf } from "@innkey/shared/languages";
import type { CardEnding, RosterRoom, RosterSheet } from "@innkey/shared/schemas/rosters";
import type { Scope } from "../../../kernel/scope.ts";

/** `$2`: now, `$3`: arrivals before then, `$4`: rooms that the caller sees, or null for all. */
const ROOMS = `SELECT r.name, r.condition::text AS condition,
    EXISTS (SELECT FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id AND o.kind = 'maintenance'
      AND o.starts_at <= $2::timestamptz AND (o.ends_at IS NULL OR o.ends_at > $2::timestamptz)
      AND o.state IN ('held', 'in_house')) AS maintenance,
    coalesce((SELECT jsonb_agg(jsonb_build_object('state', s.state, 'startsAt', iso(s.starts_at), 'endsAt', iso(s.ends_at),
        'guests', (SELECT jsonb_agg(g.name ORDER BY sg."primary" DESC, sg.id)
          FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id WHERE sg.stay_id = s.id),
        'cards', (SELECT coalesce(jsonb_agg(jsonb_build_object('number', CASE WHEN c.id_card THEN '' ELSE right(c.uid, 4) END,
            'validTo', iso(c.valid_to), 'overTheAir', c.over_the_air) ORDER BY c.id), '[]')
          FROM card c WHERE c.hotel_id = $1 AND c.stay_id = s.id AND c.state IN ('pending', 'active')
            AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)),
        'codes', (SELECT coalesce(jsonb_agg(jsonb_build_object('validFrom', iso(t.valid_from), 'validTo', iso(t.valid_to),
            'once', t.once) ORDER BY t.id), '[]')
          FROM (SELECT p.id, p.type = 'one_time' AS once, min(k.valid_from) AS valid_from,
                CASE WHEN bool_and(k.valid_to IS NOT NULL) THEN max(k.valid_to) END AS valid_to
              FROM passcode p JOIN credential k ON k.hotel_id = $1 AND k.passcode_id = p.id
                AND k.state NOT IN ('revoking', 'revoked') AND NOT (p.type = 'one_time' AND k.state = 'used')
                AND (k.valid_to IS NULL OR k.valid_to > $2::timestamptz)
              WHERE p.hotel_id = $1 AND p.stay_id = s.id AND p.deleted_at IS NULL GROUP BY p.id) t),
        'faces', (SELECT count(DISTINCT k.face_id)::int FROM credential k WHERE k.hotel_id = $1 AND k.stay_id = s.id
            AND k.face_id IS NOT NULL AND k.state NOT IN ('revoking', 'revoked')))
        ORDER BY s.state = 'reserved', s.starts_at, s.id)
      FROM stay_now s WHERE s.hotel_id = $1 AND s.room_id = r.id
        AND (s.state = 'checked_in' OR s.state = 'reserved' AND s.starts_at < $3::timestamptz AND s.ends_at > $2::timestamptz)),
      '[]') AS stays
  FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($4::int[] IS NULL OR r.id = ANY ($4::int[]))`;

/**
 * Returns every room that the caller sees with who is there, who comes today and tomorrow, and how long their keys work.
 * Door codes have no digits here, and cards only the last four.
 */
export async function readSheet(scope: Scope): Promise<RosterSheet> {
  scope.require("stays.view");
  const { name: hotelName, timeZone, language, hourFormat } = scope.hotel;
  const now = scope.now();
  const afterTomorrow = localDate(new Date(now.getTime() + 2 * DAY_MS).toISOString(), timeZone);
  const rooms = await scope.sql.rows<RosterRoom>(
    ROOMS,
    now.toISOString(),
    atLocal(afterTomorrow, "00:00", timeZone),
    scope.roomIds,
  );
  const byName = new Intl.Collator(languageOf(language).tag, { numeric: true });
  const sees = { cards: scope.can("cards.view"), codes: scope.can("passcodes.view"), faces: scope.can("faces.view") };
  return {
    hotelName,
    timeZone,
    language,
    hourFormat,
    madeAt: now.toISOString(),
    rooms: rooms
      .toSorted((a, b) => byName.compare(a.name, b.name))
      .map((room) => ({
        ...room,
        stays: room.stays.map((stay) => ({
          ...stay,
          cards: sees.cards ? stay.cards : null,
          codes: sees.codes ? stay.codes : null,
          faces: sees.faces ? stay.faces : null,
        })),
      })),
  };
}

const ENDINGS = `SELECT r.name AS "roomName", right(c.uid, 4) AS number, iso(c.valid_to) AS "validTo"
  FROM card c JOIN stay_now s ON s.id = c.stay_id JOIN room r ON r.id = s.room_id
  WHERE c.hotel_id = $1 AND c.state IN ('pending', 'active') AND NOT c.id_card AND s.state = 'checked_in'
    AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz) AND ($3::int[] IS NULL OR r.id = ANY ($3::int[]))
  ORDER BY c.id`;

/** Returns the ends of the numbers of all cards of guests in the caller's rooms, and how long they work. */
export function readCardEndings(scope: Scope): Promise<CardEnding[]> {
  scope.require("cards.view");
  return scope.sql.rows<CardEnding>(ENDINGS, scope.now().toISOString(), scope.roomIds);
}

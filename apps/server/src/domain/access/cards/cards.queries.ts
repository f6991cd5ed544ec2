import { uidCandidates } from "@innkey/shared/cards/uid";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { readStay } from "../../stays/public.ts";
import { CARD_CREDENTIALS } from "./card-credentials.sql.ts";
import { CARD_LOCK_CONTACT, cardStatus } from "./card-standing.sql.ts";

/**
 * Columns of `cardRow` for `c`. $2 is the current time, $3 the hotel's access minutes after departure. A live card must
 * be rewritten when the stay's access outlasts it, or when its lock was replaced or refuses its sequence.
 */
export const CARD_ROW = `c.id, c.uid, c.kind::text AS kind, c.note, c.state::text AS state, iso(c.valid_from) AS "validFrom",
  iso(c.valid_to) AS "validTo", iso(c.created_at) AS "createdAt", c.over_the_air AS "overTheAir",
  iso(c.used_at) AS "usedAt", c.revoke_reason AS "revokeReason", ${CARD_LOCK_CONTACT},
  (SELECT string_agg(r.name, ', ' ORDER BY r.sort, r.name) FROM card_room cr JOIN room r ON r.id = cr.room_id
    WHERE cr.card_id = c.id) AS "roomName",
  (c.state IN ('pending', 'active') AND NOT c.over_the_air AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz) AND c.kind = 'guest' AND (
      EXISTS (SELECT FROM stay s WHERE s.id = c.stay_id AND s.state = 'checked_in'
        AND c.valid_to < s.ends_at + make_interval(mins => $3::int))
      OR NOT EXISTS (SELECT FROM card_room cr JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = cr.room_id
        WHERE cr.card_id = c.id AND l.id = c.lock_number AND l.guest_floor <= c.sequence))) AS "tooShort",
  (SELECT name FROM operator WHERE id = c.issued_by_id) AS "operatorName"`;

/** Returns the cards of a stay, newest first, with the credentials that locks have for them. @throws not_found */
export async function listStayCards(scope: Scope, stayId: number): Promise<schema.StayCardRow[]> {
  scope.require("cards.view");
  await readStay(scope, scope.sql, stayId);
  return scope.sql.rows<schema.StayCardRow>(
    `SELECT ${CARD_ROW}, ${cardStatus("$2")} AS standing, ${CARD_CREDENTIALS} AS credentials FROM card c WHERE c.hotel_id = $1 AND c.stay_id = $4 ORDER BY c.id DESC`,
    scope.now(),
    scope.hotel.accessLateMinutes,
    stayId,
  );
}

type CardGuest = z.infer<typeof schema.cardGuest>;

/** Returns the in-house guest a card was written for, or an empty list. `number` may be in any notation. */
export async function lookUp(scope: Scope, number: string): Promise<CardGuest[]> {
  scope.require("stays.view");
  return scope.sql.rows<CardGuest>(
    `SELECT c.id AS "cardId", g.stay_guest_id AS "stayGuestId", s.id AS "stayId", s.other_information AS "otherInformation",
            r.id AS "roomId", r.name AS "roomName", g.name AS "guestName",
            iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt"
       FROM card c
       JOIN stay s ON s.hotel_id = c.hotel_id AND s.id = c.stay_id AND s.state = 'checked_in'
       JOIN occupancy o ON o.stay_id = s.id AND o.state = 'in_house'
       JOIN room r ON r.id = o.room_id
       JOIN primary_guest g ON g.stay_id = s.id
      WHERE c.hotel_id = $1 AND c.uid = ANY ($2) AND c.state IN ('pending', 'active')
        AND ($3::int[] IS NULL OR o.room_id = ANY ($3))
      ORDER BY array_position($2, c.uid), c.id DESC LIMIT 1`,
    uidCandidates(number),
    scope.roomIds,
  );
}

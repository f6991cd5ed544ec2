import { uidCandidates } from "@innkey/shared/cards/uid";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { readStay } from "../stays/live-stay.ts";

/** The cards of a stay, newest first. @throws not_found */
export async function ofStay(scope: Scope, stayId: number): Promise<schema.CardRow[]> {
  scope.require("cards.view");
  const stay = await readStay(scope, scope.sql, stayId);
  return scope.sql.rows<schema.CardRow>(
    `SELECT c.id, c.uid, c.kind::text AS kind, c.note, c.state::text AS state, iso(c.valid_from) AS "validFrom",
            iso(c.valid_to) AS "validTo", iso(c.created_at) AS "createdAt",
            (SELECT string_agg(r.name, ', ' ORDER BY r.name) FROM card_room cr JOIN room r ON r.id = cr.room_id
              WHERE cr.card_id = c.id) AS "roomName",
            (c.state IN ('pending', 'active') AND c.valid_to < $3::timestamptz) AS "tooShort",
            (SELECT name FROM operator WHERE id = c.issued_by_id) AS "operatorName"
       FROM card c WHERE c.hotel_id = $1 AND c.stay_id = $2 ORDER BY c.id DESC`,
    stayId,
    stay.endsAt,
  );
}

type Found = z.infer<typeof schema.cardGuest>;

/** Who holds a card: the guest in the house that it was written for, or nobody. `number` in any way of writing it. */
export async function lookUp(scope: Scope, number: string): Promise<Found[]> {
  scope.require("stays.view");
  return scope.sql.rows<Found>(
    `SELECT c.id AS "cardId", sg.id AS "manageId", s.id AS "stayId", s.other_information AS "otherInformation",
            r.id AS "roomId", r.name AS "roomName", g.name AS "guestName", iso(s.ends_at) AS "endsAt"
       FROM card c
       JOIN stay s ON s.hotel_id = c.hotel_id AND s.id = c.stay_id AND s.state = 'checked_in'
       JOIN occupancy o ON o.stay_id = s.id AND o.state = 'in_house'
       JOIN room r ON r.id = o.room_id
       JOIN stay_guest sg ON sg.stay_id = s.id AND sg."primary"
       JOIN guest g ON g.id = sg.guest_id
      WHERE c.hotel_id = $1 AND c.uid = ANY ($2) AND c.state IN ('pending', 'active')
        AND ($3::int[] IS NULL OR o.room_id = ANY ($3))
      ORDER BY array_position($2, c.uid), c.id DESC LIMIT 1`,
    uidCandidates(number),
    scope.roomIds,
  );
}

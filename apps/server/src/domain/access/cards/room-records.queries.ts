import { uidCandidates } from "@innkey/shared/cards/uid";
import type { CardState } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

/** A guest's card and one of its current or former rooms. */
export interface RoomCardRecord {
  cardId: number;
  roomId: number;
  roomName: string;
  uid: string;
  validFrom: string;
  validTo: string | null;
  state: CardState;
  /** the card is not revoked, but its period is over */
  expired: boolean;
  /** guest of its stay if the caller may see stays; otherwise the card's note */
  guestName: string;
  createdAt: string;
}

export interface RoomCardFilter extends Paging {
  roomId: number | null;
  /** in any notation */
  cardNumber: string | null;
  /** creation time: `from` inclusive, `to` exclusive */
  from: string | null;
  to: string | null;
}

/**
 * $2 is the current time, $3 the caller's rooms, $4 whether the caller may see stays, $5–$8 the filter, $9 and $10 the
 * page.
 */
const RECORDS = `
SELECT c.id AS "cardId", r.id AS "roomId", r.name AS "roomName", c.uid, iso(c.valid_from) AS "validFrom",
  iso(c.valid_to) AS "validTo", c.state::text AS state,
  c.state IN ('pending', 'active') AND c.valid_to <= $2::timestamptz AS expired,
  coalesce(CASE WHEN $4::boolean THEN g.name END, c.note) AS "guestName", iso(c.created_at) AS "createdAt",
  count(*) OVER ()::int AS total
FROM card c
JOIN card_room cr ON cr.card_id = c.id
JOIN room r ON r.id = cr.room_id
LEFT JOIN primary_guest g ON g.stay_id = c.stay_id
WHERE c.hotel_id = $1 AND c.kind = 'guest' AND ($3::int[] IS NULL OR r.id = ANY ($3::int[]))
  AND ($5::int IS NULL OR r.id = $5) AND ($6::text[] IS NULL OR c.uid = ANY ($6::text[]))
  AND ($7::timestamptz IS NULL OR c.created_at >= $7) AND ($8::timestamptz IS NULL OR c.created_at < $8)
ORDER BY c.id DESC, r.sort, r.id LIMIT $9 OFFSET $10`;

/** Returns guests' cards by room, newest first. @throws no_permission */
export async function roomRecords(
  scope: Scope,
  filter: RoomCardFilter,
): Promise<{ rows: RoomCardRecord[]; total: number }> {
  scope.require("cards.view");
  const rows = await scope.sql.rows<RoomCardRecord & { total: number }>(
    RECORDS,
    scope.now(),
    scope.roomIds,
    scope.can("stays.view"),
    filter.roomId,
    filter.cardNumber === null ? null : uidCandidates(filter.cardNumber),
    filter.from,
    filter.to,
    ...limits(filter),
  );
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && filter.page > 1) return { ...(await roomRecords(scope, { ...filter, page: 1 })), rows: [] };
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/**
 * Returns the id of the live card with that number in that room, for revocation. `cardNumber` may be in any notation.
 * @throws no_permission; not_found also for a room that the caller can't see
 */
export async function liveCardInRoom(scope: Scope, roomId: number, cardNumber: string): Promise<number> {
  scope.require("cards.issue");
  scope.requireRoom(roomId);
  const [card] = await scope.sql.rows<{ id: number }>(
    `SELECT c.id FROM card c JOIN card_room cr ON cr.card_id = c.id
      WHERE c.hotel_id = $1 AND cr.room_id = $2 AND c.uid = ANY ($3::text[]) AND c.kind = 'guest'
        AND c.state IN ('pending', 'active')
      ORDER BY c.id DESC LIMIT 1`,
    roomId,
    uidCandidates(cardNumber),
  );
  if (!card) throw new DomainError("not_found");
  return card.id;
}

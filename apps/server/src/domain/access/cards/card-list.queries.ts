import { uidCandidates } from "@innkey/shared/cards/uid";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { CARD_CREDENTIALS } from "./card-credentials.sql.ts";
import { cardStatus } from "./card-standing.sql.ts";
import { CARD_ROW } from "./cards.queries.ts";

type Row = schema.MasterCardRow & { total: number };

/** Returns the LIKE pattern for a keyword, with wildcards escaped. */
const contains = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * $2 is the current time, $3 the hotel's access minutes after departure. Lists cards whose rooms are all among $4
 * (null: all rooms), with the filters of `cardsInput`.
 */
const LIST = `
SELECT ${CARD_ROW},
  ARRAY(SELECT cr.room_id FROM card_room cr WHERE cr.card_id = c.id ORDER BY cr.room_id) AS "roomIds",
  ARRAY(SELECT r.name FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id ORDER BY r.sort, r.name) AS "roomNames",
  ${cardStatus("$2")} AS standing, c.stay_id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName",
  ${CARD_CREDENTIALS} AS credentials, page.total
FROM (
  SELECT c.id, count(*) OVER ()::int AS total
  FROM card c
  WHERE c.hotel_id = $1
    AND ($4::int[] IS NULL OR (c.kind = 'guest'
      AND EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id)
      AND NOT EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND NOT cr.room_id = ANY ($4::int[]))))
    AND ($5::text IS NULL OR c.kind::text = $5)
    AND ($12::int IS NULL OR c.id = $12)
    AND ($6::boolean IS NULL OR c.over_the_air = $6)
    AND ($13::int IS NULL OR EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND cr.room_id = $13))
    AND ($14::int IS NULL OR c.lock_number = $14
      OR EXISTS (SELECT FROM credential t WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.lock_id = $14 AND t.state <> 'revoked'))
    AND ($15::text IS NULL OR ${cardStatus("$2")} = $15)
    AND ($7 = 'all' OR ($7 = 'live') = (c.state <> 'revoked' AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)))
    AND ($8 = '%%' OR c.uid LIKE upper($8) OR c.uid = ANY ($9::text[]) OR c.note ILIKE $8
      OR EXISTS (SELECT FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id AND r.name ILIKE $8))
  ORDER BY c.id DESC LIMIT $10 OFFSET $11
) page
JOIN card c ON c.id = page.id
LEFT JOIN primary_guest g ON g.stay_id = c.stay_id
ORDER BY c.id DESC`;

type ListInput = z.infer<typeof schema.cardsInput>;

/** Returns the statement of the list; without `page` it selects everything that matches. */
export function cardListQuery(scope: Scope, input: Omit<ListInput, "page" | "pageSize">, page?: Paging): HotelQuery {
  const values = [
    scope.now(),
    scope.hotel.accessLateMinutes,
    scope.roomIds,
    input.kind ?? null,
    input.overTheAir ?? null,
    input.state,
    contains(input.query),
    uidCandidates(input.query),
    ...limits(page),
    input.cardId ?? null,
    input.roomId ?? null,
    input.lockId ?? null,
    input.standing ?? null,
  ];
  return { text: LIST, values };
}

/**
 * Returns cards, newest first. Guest names are left out if the caller may not see stays. `live` cards are those that
 * open, may open or are being written. Staff see guests' cards of their own rooms.
 */
export async function list(scope: Scope, input: ListInput): Promise<z.infer<typeof schema.cardPage>> {
  scope.require("cards.view");
  const { text, values } = cardListQuery(scope, input, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  const showsNames = scope.can("stays.view");
  return {
    rows: rows.map(({ total: _total, ...row }) => (showsNames ? row : { ...row, guestName: null, stayGuestId: null })),
    total: rows[0]?.total ?? 0,
  };
}

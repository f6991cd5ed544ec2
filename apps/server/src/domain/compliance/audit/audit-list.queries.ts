import type { auditListInput, auditListOutput, auditListRow } from "@innkey/shared/schemas/compliance";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { needleOf } from "../../../kernel/search-needle.ts";

type ListInput = z.output<typeof auditListInput>;

/**
 * Names of what entry `e` is about, as they are today. The audit itself stores ids, so a person who was erased has no
 * name here either. Parameters say what the caller may see: $3 guests, $4 customers, $5 rooms, $6 cards, $7 door codes,
 * $8 the caller's rooms, null for all.
 */
const NAMES = `
LEFT JOIN LATERAL (
  SELECT s.room_id, (SELECT g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
    WHERE sg.stay_id = s.id AND sg."primary" AND g.erased_at IS NULL) AS name FROM stay_now s
   WHERE e.entity IN ('stay', 'folio_entry', 'receipt') AND $3::boolean AND s.hotel_id = $1 AND s.id = CASE e.entity
     WHEN 'stay' THEN e.id_number
     WHEN 'folio_entry' THEN (SELECT f.stay_id FROM folio_entry f WHERE f.hotel_id = $1 AND f.id = e.id_number)
     ELSE (SELECT q.stay_id FROM receipt q WHERE q.hotel_id = $1 AND q.number = e.id_number) END
  UNION ALL SELECT s.room_id, g.name FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id JOIN guest g ON g.id = sg.guest_id
   WHERE e.entity = 'stayGuest' AND $3::boolean AND sg.hotel_id = $1 AND sg.id = e.id_number AND g.erased_at IS NULL
  UNION ALL SELECT NULL, g.name FROM guest g
   WHERE e.entity = 'guest' AND $3::boolean AND $8::int[] IS NULL AND g.hotel_id = $1 AND g.id = e.id_number AND g.erased_at IS NULL
  UNION ALL SELECT NULL, c.name FROM customer c
   WHERE e.entity = 'customer' AND $4::boolean AND c.hotel_id = $1 AND c.id = e.id_number AND c.deleted_at IS NULL
  UNION ALL SELECT r.id, NULL FROM room r WHERE e.entity = 'room' AND r.hotel_id = $1 AND r.id = e.id_number
  UNION ALL SELECT h.room_id, NULL FROM hand_over_note h WHERE e.entity = 'handOverNote' AND h.hotel_id = $1 AND h.id = e.id_number
  UNION ALL SELECT l.room_id, NULL FROM lock l WHERE e.entity = 'lock' AND l.door_id IS NULL AND l.hotel_id = $1 AND l.id = e.id_number
  UNION ALL SELECT NULL, z.name FROM zone z WHERE e.entity = 'zone' AND z.hotel_id = $1 AND z.id = e.id_number
  UNION ALL SELECT NULL, d.name FROM door d WHERE e.entity = 'door' AND d.hotel_id = $1 AND d.id = e.id_number
  UNION ALL SELECT NULL, d.name FROM lock l JOIN door d ON d.id = l.door_id WHERE e.entity = 'lock' AND l.room_id IS NULL AND l.hotel_id = $1 AND l.id = e.id_number
  UNION ALL SELECT s.room_id, concat_ws(' · ', shown_uid(c.uid, c.id_card), CASE WHEN $3::boolean THEN (SELECT g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
    WHERE sg.stay_id = c.stay_id AND sg."primary" AND g.erased_at IS NULL) END)
    FROM card c LEFT JOIN stay_now s ON s.id = c.stay_id
   WHERE e.entity = 'card' AND $6::boolean AND c.hotel_id = $1 AND c.id = e.id_number
  UNION ALL SELECT p.room_id, p.person FROM passcode p
   WHERE e.entity = 'passcode' AND $7::boolean AND p.hotel_id = $1 AND p.id = e.id_number
  UNION ALL SELECT NULL, c.name FROM card_reader c WHERE e.entity = 'cardReader' AND c.hotel_id = $1 AND c.id = e.id_number
  UNION ALL SELECT NULL, g.name FROM room_group g WHERE e.entity = 'group' AND g.hotel_id = $1 AND g.id = e.id_number
  UNION ALL SELECT NULL, t.name FROM price_template t WHERE e.entity = 'priceTemplate' AND t.hotel_id = $1 AND t.id = e.id_number
  UNION ALL SELECT NULL, o.name FROM membership m JOIN operator o ON o.id = m.operator_id
   WHERE e.entity = 'operator' AND m.hotel_id = $1 AND o.id = e.id_number
) n ON $8::int[] IS NULL OR n.room_id IS NULL OR n.room_id = ANY ($8::int[])
LEFT JOIN room r ON r.id = n.room_id AND $5::boolean`;

/**
 * What entry `e` says was set. The reason of a no-show is written about a guest, who may have to be forgotten, so it is
 * masked in the audit and shown as the stay has it now, to callers who may see the stay.
 */
const AFTER = `CASE WHEN e.action = 'stay.no_show' AND e.after ->> 'reason' = '***' AND n.room_id IS NOT NULL
  THEN jsonb_set(e.after, '{reason}', (SELECT to_jsonb(s.no_show_reason) FROM stay s WHERE s.hotel_id = $1 AND s.id = e.id_number))
  ELSE e.after END`;

/**
 * CTE `meant (entity, entity_id)`: what a keyword names, as far as the caller may see it. `$k` is the key, `$p` the
 * patterns of all its words.
 */
const meantSql = (key: string, patterns: string): string => `WITH people AS (
  SELECT g.id FROM guest g WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND $3::boolean AND $8::int[] IS NULL
     AND search_grams(g.search_key) @> search_needles(${key}::text) AND split_part(g.search_key, E'\\n', 1) LIKE ALL (${patterns}::text[])
), places AS (
  SELECT r.id FROM room r WHERE r.hotel_id = $1 AND $5::boolean AND ($8::int[] IS NULL OR r.id = ANY ($8::int[]))
     AND split_part(r.search_key, E'\\n', 1) = ${key}::text
), stays AS (
  SELECT sg.stay_id AS id FROM people JOIN stay_guest sg ON sg.guest_id = people.id
  UNION SELECT o.stay_id FROM places JOIN occupancy o ON o.room_id = places.id WHERE o.stay_id IS NOT NULL AND $3::boolean
), meant (entity, entity_id) AS (
  SELECT 'guest', id::text FROM people
  UNION SELECT 'stayGuest', sg.id::text FROM people JOIN stay_guest sg ON sg.guest_id = people.id
  UNION SELECT 'stay', id::text FROM stays
  UNION SELECT 'folio_entry', f.id::text FROM stays JOIN folio_entry f ON f.stay_id = stays.id
  UNION SELECT 'receipt', q.number::text FROM stays JOIN receipt q ON q.stay_id = stays.id
  UNION SELECT 'room', id::text FROM places
  UNION SELECT 'lock', l.id::text FROM places JOIN lock l ON l.room_id = places.id
  UNION SELECT 'operator', o.id::text FROM membership m JOIN operator o ON o.id = m.operator_id
   WHERE m.hotel_id = $1 AND search_text(o.name) LIKE ALL (${patterns}::text[])
)`;

/**
 * Returns one page of the hotel's audit, newest first, below the sequence number `before`, with today's names of what
 * each entry is about. @throws no_permission
 */
export async function list(
  scope: Scope,
  { before, limit, keyword, action, from, to }: ListInput,
): Promise<z.output<typeof auditListOutput>> {
  scope.require("audit.view");
  const needle = keyword ? await needleOf(scope, keyword) : null;
  if (keyword && !needle) return { rows: [], nextBefore: null };
  const values: unknown[] = [
    limit,
    scope.can("stays.view"),
    scope.can("customers.view"),
    scope.can("rooms.view"),
    scope.can("cards.view"),
    scope.can("passcodes.view"),
    scope.roomIds,
  ];
  const put = (value: unknown): string => `$${values.push(value) + 1}`;
  const conditions = ["hotel_id = $1"];
  if (before !== undefined) conditions.push(`seq < ${put(before)}::bigint`);
  if (action !== undefined) conditions.push(`action = ${put(action)}::text`);
  if (from !== undefined) conditions.push(`at >= ${put(from)}::timestamptz`);
  if (to !== undefined) conditions.push(`at < ${put(to)}::timestamptz`);
  let ctes = "";
  if (needle) {
    const patterns = put(needle.key.split(" ").map((word) => `%${word}%`));
    ctes = meantSql(put(needle.key), patterns);
    conditions.push(
      `((entity, entity_id) IN (SELECT entity, entity_id FROM meant) OR search_text(actor_name) LIKE ALL (${patterns}::text[]))`,
    );
  }
  const rows = await scope.sql.rows<z.infer<typeof auditListRow>>(
    `${ctes} SELECT e.seq, e.at, e.actor_name AS "actorName", e.door, e.address, e.action, e.entity, e.entity_id AS "entityId",
        e.before, ${AFTER} AS after, nullif(n.name, '') AS subject, r.name AS "roomName"
      FROM (SELECT *, CASE WHEN entity_id ~ '^[0-9]{1,9}$' THEN entity_id::int END AS id_number
              FROM audit_entry WHERE ${conditions.join(" AND ")} ORDER BY seq DESC LIMIT $2::int) e ${NAMES}
      ORDER BY e.seq DESC`,
    ...values,
  );
  return { rows, nextBefore: rows.length === limit ? (rows.at(-1)?.seq ?? null) : null };
}

import { uidCandidates } from "@innkey/shared/cards/uid";
import type { CardState } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { requireVisibleRoom } from "../../property/public.ts";
import { readStay } from "../../stays/public.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { CREDENTIAL_JOINS, credentialJson, overruns } from "../credentials/credentials.ts";
import { doorsOfLocks } from "../locks/locks.queries.ts";

/**
 * Credentials of the card `c` as an array of `credentialRow`; for a card that isn't revoked, without revoked
 * credentials. $1 is the hotel.
 */
export const CARD_CREDENTIALS = `(SELECT coalesce(json_agg(${credentialJson("card.note")} ORDER BY r.sort, r.name, c.id), '[]')
  FROM (SELECT c.id, c.note, c.state) card
  JOIN credential c ON c.hotel_id = $1 AND c.card_id = card.id AND (c.state <> 'revoked' OR card.state = 'revoked')
  ${CREDENTIAL_JOINS})`;

/**
 * Selects locks instructed to refuse the number of card `c` that haven't confirmed since that it is allowed again;
 * `now` is the parameter of the current time.
 */
export const refusingLocks = (
  now: string,
): string => `SELECT b.lock_id FROM lock_command b WHERE b.hotel_id = $1 AND b.subject = 'card:' || c.uid AND b.type = 'block_card'
      AND b.state <> 'superseded' AND (b.expires_at IS NULL OR b.expires_at > ${now}::timestamptz)
      AND NOT EXISTS (SELECT FROM lock_command a WHERE a.lock_id = b.lock_id AND a.subject = b.subject AND a.type = 'allow_card'
        AND a.card_id = c.id AND a.state = 'acknowledged' AND a.seq > b.seq)`;

/**
 * Columns with the contact of the lock that the record of a guest's card `c` is for; see `lockContact` of
 * schemas/cards.ts.
 */
export const CARD_LOCK_CONTACT = `coalesce((SELECT l.online FROM lock l WHERE l.hotel_id = c.hotel_id AND l.id = c.lock_number), true) AS "lockOnline",
  (SELECT iso(l.last_seen_at) FROM lock l WHERE l.hotel_id = c.hotel_id AND l.id = c.lock_number) AS "lockHeardAt"`;

/**
 * Returns SQL for the status of card `c`; `now` is the parameter of the current time. It is text and no SQL function,
 * because PostgreSQL would call a function with subqueries once per row. A guest's card is `pending` while
 * its lock hasn't confirmed its keys since a reset, or refuses the number until a newer command arrives. A card in its
 * locks' credential lists is `active` when all of them confirmed it and `failed` when one could not store it.
 */
export const cardStatus = (
  now: string,
): string => `CASE WHEN c.state <> 'active' THEN c.state::text WHEN c.valid_to <= ${now}::timestamptz OR (c.once AND c.used_at IS NOT NULL) THEN
    CASE WHEN EXISTS (SELECT FROM credential t JOIN lock l ON l.id = t.lock_id
      WHERE t.hotel_id = $1 AND t.card_id = c.id AND (t.state = 'revoking' OR ${overruns(now)})) THEN 'revoking' ELSE 'expired' END
  WHEN NOT c.over_the_air AND c.kind = 'guest' THEN CASE
    WHEN EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.id = c.lock_number AND l.reset_at IS NOT NULL)
      OR c.lock_number IN (${refusingLocks(now)}) THEN 'pending' ELSE 'active' END
  ELSE (SELECT CASE WHEN bool_or(t.state = 'failed') THEN 'failed'
      WHEN bool_and(t.state IN ('confirmed', 'used') AND (c.over_the_air OR l.reset_at IS NULL)) THEN 'active' ELSE 'pending' END
    FROM credential t JOIN lock l ON l.id = t.lock_id
    WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.state NOT IN ('revoking', 'revoked')) END`;

/**
 * The common doors that the written card `c` opens by its zone records, as an array of `otherDoor`. `now` is the parameter of the
 * current time. A lock that hasn't confirmed the zone's key or its keys since a reset, or refuses the number until a newer
 * command arrives, doesn't open yet. A card whose writing was not confirmed may carry them.
 */
const otherDoors = (now: string): string => `(SELECT coalesce(json_agg(json_build_object('lockId', o.id, 'name', o.name,
    'lockOnline', o.online, 'lockHeardAt', iso(o.last_seen_at),
    'state', CASE WHEN c.state = 'pending' OR NOT o.confirmed OR o.reset_at IS NOT NULL OR o.id IN (${refusingLocks(now)}) THEN 'waiting' ELSE 'opens' END)
    ORDER BY o.name), '[]')
  FROM (SELECT l.id, dr.name, l.online, l.last_seen_at, l.reset_at, l.configured_at IS NOT NULL AND bool_or(x.confirmed_at IS NOT NULL
        AND l.profile_id >= coalesce(c.zone_profiles[array_position(c.zones, x.zone_id)], c.profile_id)) AS confirmed
    FROM lock_zone x JOIN lock l ON l.id = x.lock_id AND l.driver = 'mqtt' AND l.deleted_at IS NULL
    JOIN door dr ON dr.id = l.door_id
    WHERE c.kind = 'guest' AND NOT c.over_the_air AND c.state IN ('pending', 'active') AND x.left_at IS NULL
      AND x.zone_id = ANY (c.zones) AND x.zone_id <> ALL (c.revoked_zones)
    GROUP BY l.id, dr.name) o)`;

/** Names of the room groups and zones that the staff card `c` follows. */
const groupsAndZones = `SELECT n.name FROM (
    SELECT 1 AS part, g.sort, g.name FROM card_group cg JOIN room_group g ON g.id = cg.group_id WHERE cg.card_id = c.id
    UNION ALL SELECT 2, 0, z.name FROM card_zone cz JOIN zone z ON z.id = cz.zone_id AND z.deleted_at IS NULL WHERE cz.card_id = c.id
  ) n ORDER BY n.part, n.sort, n.name`;

/**
 * Columns of `cardRow` for `c`. $2 is the current time, $3 whether the caller may see guests' names. Which cards must
 * be written again is the rule of view card_to_rewrite in prisma/migrations.
 */
export const CARD_ROW = `c.id, shown_uid(c.uid, c.id_card) AS uid, c.kind::text AS kind, c.note, c.state::text AS state, iso(c.valid_from) AS "validFrom",
  iso(c.valid_to) AS "validTo", iso(c.created_at) AS "createdAt", c.over_the_air AS "overTheAir", c.id_card AS "idCard",
  iso(c.used_at) AS "usedAt", c.revoke_reason AS "revokeReason", ${CARD_LOCK_CONTACT},
  nullif(concat_ws(', ', (SELECT string_agg(n.name, ', ') FROM (${groupsAndZones}) n), (SELECT string_agg(r.name, ', ' ORDER BY r.sort, r.name) FROM card_room cr JOIN room r ON r.id = cr.room_id
    WHERE cr.card_id = c.id), (SELECT string_agg(d.name, ', ' ORDER BY d.name) FROM card_door cd JOIN door d ON d.id = cd.door_id
    WHERE cd.card_id = c.id)), '') AS "roomName", ${otherDoors("$2")} AS "otherDoors",
  (SELECT w.reason FROM card_to_rewrite w WHERE w.hotel_id = $1 AND w.card_id = c.id
    AND (w.stay_id IS NOT NULL OR is_valid_card(c.state, c.valid_to, $2::timestamptz))) AS rewrite,
  (SELECT json_build_object('stayGuestId', sg.id, 'name', g.name) FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
    WHERE $3::boolean AND sg.hotel_id = $1 AND sg.id = c.stay_guest_id) AS holder,
  (SELECT name FROM operator WHERE id = c.issued_by_id) AS "operatorName"`;

/** Returns the cards of a stay, newest first, with the credentials that locks have for them. @throws not_found */
export async function listStayCards(scope: Scope, stayId: number): Promise<schema.StayCardRow[]> {
  scope.require("cards.view");
  await readStay(scope, scope.sql, stayId);
  return scope.sql.rows<schema.StayCardRow>(
    `SELECT ${CARD_ROW}, ${cardStatus("$2")} AS standing, ${CARD_CREDENTIALS} AS credentials FROM card c WHERE c.hotel_id = $1 AND c.stay_id = $4 ORDER BY c.id DESC`,
    scope.now(),
    scope.can("stays.view"),
    stayId,
  );
}

type CardGuest = z.infer<typeof schema.cardGuest>;

/**
 * Returns the in-house guest a card was written for, or an empty list. `number` may be in any notation; `expired` is a
 * guest past the planned departure. @throws no_permission; reader_of_others for a reader that is bound to other people
 */
export async function lookUp(
  scope: Scope,
  { number, reader }: z.infer<typeof schema.lookUpInput>,
): Promise<(CardGuest & { expired: boolean })[]> {
  scope.require("stays.view");
  await requireOwnReader(scope, scope.sql, reader);
  const rows = await scope.sql.rows<CardGuest>(
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
  const now = scope.now().toISOString();
  return rows.map((row) => ({ ...row, expired: row.endsAt <= now }));
}

type Row = schema.MasterCardRow & { total: number };

/**
 * $2 is the current time, $3 whether the caller may see guests' names. Lists cards whose rooms are all among $4 (null:
 * all rooms), with the filters of `cardsInput`.
 */
const LIST = `
SELECT ${CARD_ROW},
  ARRAY(SELECT cr.room_id FROM card_room cr WHERE cr.card_id = c.id ORDER BY cr.room_id) AS "roomIds",
  ARRAY(SELECT cd.door_id FROM card_door cd WHERE cd.card_id = c.id ORDER BY cd.door_id) AS "doorIds",
  ARRAY(SELECT cg.group_id FROM card_group cg WHERE cg.card_id = c.id ORDER BY cg.group_id) AS "groupIds",
  ARRAY(SELECT cz.zone_id FROM card_zone cz WHERE cz.card_id = c.id ORDER BY cz.zone_id) AS "zoneIds",
  c.all_doors AS "allDoors", c.once, c.hours, ARRAY(${groupsAndZones}) || ARRAY(SELECT r.name FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id ORDER BY r.sort, r.name)
    || ARRAY(SELECT d.name FROM card_door cd JOIN door d ON d.id = cd.door_id WHERE cd.card_id = c.id ORDER BY d.name) AS "roomNames",
  ${cardStatus("$2")} AS standing, c.stay_id AS "stayId", g.stay_guest_id AS "stayGuestId", g.name AS "guestName",
  ${CARD_CREDENTIALS} AS credentials, page.total
FROM (
  SELECT c.id, count(*) OVER ()::int AS total
  FROM card c
  WHERE c.hotel_id = $1
    AND ($4::int[] IS NULL OR (c.kind IN ('guest', 'one_shot')
      AND EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id)
      AND NOT EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND NOT cr.room_id = ANY ($4::int[]))))
    AND ($5::text IS NULL OR c.kind::text = $5)
    AND (NOT $16::boolean OR c.kind IN ('emergency', 'block_out', 'one_shot'))
    AND ($12::int IS NULL OR c.id = $12)
    AND ($6::boolean IS NULL OR c.over_the_air = $6)
    AND ($13::int IS NULL OR EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND cr.room_id = $13))
    AND ($14::int IS NULL OR c.lock_number = $14
      OR EXISTS (SELECT FROM credential t WHERE t.hotel_id = $1 AND t.card_id = c.id AND t.lock_id = $14 AND t.state <> 'revoked'))
    AND ($15::text IS NULL OR ${cardStatus("$2")} = $15)
    AND ($7 = 'all' OR ($7 = 'live') = is_live_card(c.state, c.valid_to, $2::timestamptz))
    AND (${containsWords("$8", "lower(c.uid)", "c.search_key")} OR c.uid = ANY ($9::text[])
      OR EXISTS (SELECT FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id AND ${containsWords("$8", "r.search_key")}))
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
    scope.can("stays.view"),
    scope.roomIds,
    input.kind ?? null,
    input.overTheAir ?? null,
    input.state,
    searchQuery(input.query),
    uidCandidates(input.query),
    ...limits(page),
    input.cardId ?? null,
    input.roomId ?? null,
    input.lockId ?? null,
    input.standing ?? null,
    input.special,
  ];
  return { text: LIST, values };
}

/**
 * Returns cards, newest first. Guest names are left out if the caller may not see stays. `live` cards are those that
 * open, may open or are being written. Staff see guests' cards of their own rooms.
 */
export async function list(scope: Scope, input: ListInput): Promise<z.infer<typeof schema.cardPage>> {
  scope.require("cards.view");
  if (input.roomId !== undefined) await requireVisibleRoom(scope, input.roomId);
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

/**
 * Returns the cards that are written for a lock or stored in it, as `list` does. @throws not_found for a lock that the
 * caller can't see, whatever their permissions; otherwise as `list`
 */
export async function listOfLock(
  scope: Scope,
  input: ListInput & { lockId: number },
): Promise<z.infer<typeof schema.cardPage>> {
  await doorsOfLocks(scope, scope.reads, [input.lockId]);
  return list(scope, input);
}

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
SELECT c.id AS "cardId", r.id AS "roomId", r.name AS "roomName", shown_uid(c.uid, c.id_card) AS uid, iso(c.valid_from) AS "validFrom",
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

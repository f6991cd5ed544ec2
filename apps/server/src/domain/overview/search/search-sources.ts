import { uidCandidates } from "@innkey/shared/cards/uid";
import { MAX_RESULTS, type SearchResult } from "@innkey/shared/schemas/overview/search";
import type { Scope } from "../../../kernel/scope.ts";
import { PASSCODE_VISIBLE } from "../../access/public.ts";

/** Matches examined before the nearest are chosen, because a single letter occurs in half of all names. */
const LOOKED_AT = 200;
/** Sorts after every key with this prefix. */
const BEYOND = `U&'\\+10FFFF'`;

/** A search term prepared for SQL; its indexes and functions are in prisma/migrations/0_init. */
export interface Needle {
  /** normalised by `search_text`; never empty, and without LIKE wildcards */
  key: string;
  /** LIKE patterns of the words that the trigram index alone can't verify */
  patterns: string[];
}

/**
 * Returns SQL for `found (id, place)`: rows whose search key begins with `$2`, in entry, and then, if those are few,
 * rows that contain every word. `$3` are the patterns; `visible` is the condition for the caller to see row `x`.
 */
export function nearest(table: "guest" | "customer" | "passcode", visible: string): string {
  return `
  near AS (
    SELECT x.id, x.search_key FROM ${table} x
     WHERE x.hotel_id = $1 AND x.search_key >= $2 AND x.search_key < $2 || ${BEYOND} AND ${visible}
     ORDER BY x.search_key, x.id LIMIT ${MAX_RESULTS}
  ), far AS (
    SELECT x.id, x.search_key FROM ${table} x
     WHERE x.hotel_id = $1 AND search_grams(x.search_key) @> search_needles($2::text) AND x.search_key LIKE ALL ($3::text[])
       AND (SELECT count(*) FROM near) < ${MAX_RESULTS} AND ${visible}
     LIMIT ${LOOKED_AT}
  ), found AS (
    SELECT id, row_number() OVER (ORDER BY search_key, id) AS place FROM near
    UNION ALL
    SELECT id, ${MAX_RESULTS} + row_number() OVER (
        ORDER BY ' ' || translate(search_key, E'\\n', ' ') LIKE '% ' || $2 || '%' DESC, id DESC)
      FROM far WHERE id NOT IN (SELECT id FROM near)
  )`;
}

/** A hotel has hundreds of rooms at most, so an index isn't worthwhile. */
const ROOMS = `
SELECT id AS "roomId", name, remark_name AS "remarkName" FROM room
WHERE hotel_id = $1 AND deleted_at IS NULL AND ($2::int[] IS NULL OR id = ANY ($2)) AND search_key LIKE ALL ($3::text[])
ORDER BY starts_with(search_key, $4 || E'\\n') DESC, starts_with(search_key, $4) DESC,
  ' ' || translate(search_key, E'\\n', ' ') LIKE '% ' || $4 || '%' DESC, sort, search_key, id LIMIT ${MAX_RESULTS}`;

export async function findRooms(scope: Scope, { key }: Needle): Promise<SearchResult["rooms"]> {
  if (!scope.can("rooms.view")) return [];
  const patterns = key.split(" ").map((word) => `%${word}%`);
  return scope.sql.rows(ROOMS, scope.roomIds, patterns, key);
}

/** As in the list of cards, staff see guests' cards whose rooms are all theirs. */
const CARD_VISIBLE = `($4::int[] IS NULL OR (c.kind = 'guest' AND EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id)
  AND NOT EXISTS (SELECT FROM card_room cr WHERE cr.card_id = c.id AND NOT cr.room_id = ANY ($4))))`;
const CARDS = `
WITH meant AS (
  SELECT c.id, 0 AS place FROM card c WHERE c.hotel_id = $1 AND c.uid = ANY ($5::text[]) AND ${CARD_VISIBLE}
  UNION ALL (SELECT c.id, 1 FROM card c WHERE c.hotel_id = $1 AND c.uid >= $6 AND c.uid < $6 || 'G' AND ${CARD_VISIBLE}
              ORDER BY c.uid LIMIT 50)
  UNION ALL (SELECT c.id, 2 FROM card c WHERE c.hotel_id = $1 AND c.note <> '' AND search_grams(c.search_key) @> search_needles($2::text)
              AND c.search_key LIKE ALL ($3::text[]) AND ${CARD_VISIBLE} LIMIT 200)
), best AS (SELECT id, min(place) AS place FROM meant GROUP BY id)
SELECT c.id AS "cardId", c.uid, c.kind::text AS kind, c.note, c.state IN ('pending', 'active') AS live,
  g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
FROM best b JOIN card c ON c.id = b.id
LEFT JOIN primary_guest g ON g.stay_id = c.stay_id AND $7::boolean
ORDER BY b.place, c.state IN ('pending', 'active') DESC, c.id DESC LIMIT ${MAX_RESULTS}`;

/** Shorter prefixes of a number match too many cards. */
const MIN_BEGINNING = 3;

/** Finds cards by number in any notation, by its prefix, or by note. */
export async function findCards(
  scope: Scope,
  { key, patterns }: Needle,
  query: string,
): Promise<SearchResult["cards"]> {
  if (!scope.can("cards.view")) return [];
  const hex = query.replace(/[\s:.-]/g, "").toUpperCase();
  const beginning = hex.length >= MIN_BEGINNING && /^[0-9A-F]+$/.test(hex) ? hex : null;
  const seesStays = scope.can("stays.view");
  return scope.sql.rows(CARDS, key, patterns, scope.roomIds, uidCandidates(query), beginning, seesStays);
}

const ENTRY = `
SELECT o.id AS "entryId", o.type::text AS type, o.amount_minor AS "amountMinor", g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
FROM folio_entry o
LEFT JOIN stay_now s ON s.id = o.stay_id
LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
WHERE o.hotel_id = $1 AND o.id = $2::int AND ($3::int[] IS NULL OR s.room_id = ANY ($3))`;

/** Finds the entry with that number. */
export async function findEntries(scope: Scope, number: number | null): Promise<SearchResult["entries"]> {
  if (!scope.can("folio.view") || number === null) return [];
  return scope.sql.rows(ENTRY, number, scope.roomIds);
}

const VISIBLE = PASSCODE_VISIBLE.replaceAll("$2", "$4").replaceAll("p.id", "x.id");
const PASSCODES = `
WITH ${nearest("passcode", VISIBLE)}
SELECT p.id AS "passcodeId", p.person, r.name AS "roomName",
  p.deleted_at IS NOT NULL OR coalesce(p.valid_to <= $5::timestamptz, false) AS ended
FROM found f JOIN passcode p ON p.id = f.id JOIN room r ON r.id = p.room_id
ORDER BY f.place LIMIT ${MAX_RESULTS}`;

/** Finds door codes by the person they are for. */
export async function findPasscodes(scope: Scope, { key, patterns }: Needle): Promise<SearchResult["passcodes"]> {
  if (!scope.can("passcodes.view")) return [];
  return scope.sql.rows(PASSCODES, key, patterns, scope.roomIds, scope.now());
}

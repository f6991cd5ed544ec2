import type { Capability } from "@innkey/shared/capabilities";
import { uidCandidates } from "@innkey/shared/cards/uid";
import { DomainError } from "@innkey/shared/errors";
import { MAX_RESULTS, type SearchResult } from "@innkey/shared/schemas/overview/search";
import type { Scope } from "../../kernel/scope.ts";
import { type Needle, needleOf } from "../../kernel/search-needle.ts";
import { visiblePasscodeSql } from "../access/public.ts";
import { documentHashes, normalDocumentNumber } from "../stays/public.ts";

/** Limit of the matches examined before the nearest are chosen, because a single letter occurs in half of all names. */
const MAX_EXAMINED = 200;
/** Sorts after every key with this prefix. */
const LAST_CHARACTER = `U&'\\+10FFFF'`;

/**
 * Returns SQL for `found (id, place)`: rows whose search key begins with `$2`, in order, and then, if those are few,
 * rows that contain every word. `$3` are the patterns; `visible` is the condition for the caller to see row `x`.
 */
export function nearest(table: "guest" | "customer" | "passcode", visible: string): string {
  return `
  near AS (
    SELECT x.id, x.search_key FROM ${table} x
     WHERE x.hotel_id = $1 AND x.search_key >= $2 AND x.search_key < $2 || ${LAST_CHARACTER} AND ${visible}
     ORDER BY x.search_key, x.id LIMIT ${MAX_RESULTS}
  ), far AS (
    SELECT x.id, x.search_key FROM ${table} x
     WHERE x.hotel_id = $1 AND search_grams(x.search_key) @> search_needles($2::text) AND x.search_key LIKE ALL ($3::text[])
       AND (SELECT count(*) FROM near) < ${MAX_RESULTS} AND ${visible}
     LIMIT ${MAX_EXAMINED}
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
WITH matched AS (
  SELECT c.id, 0 AS place FROM card c WHERE c.hotel_id = $1 AND c.uid = ANY ($5::text[]) AND ${CARD_VISIBLE}
  UNION ALL (SELECT c.id, 1 FROM card c WHERE c.hotel_id = $1 AND c.uid >= $6 AND c.uid < $6 || 'G' AND ${CARD_VISIBLE}
              ORDER BY c.uid LIMIT 50)
  UNION ALL (SELECT c.id, 2 FROM card c WHERE c.hotel_id = $1 AND c.note <> '' AND search_grams(c.search_key) @> search_needles($2::text)
              AND c.search_key LIKE ALL ($3::text[]) AND ${CARD_VISIBLE} LIMIT 200)
), best AS (SELECT id, min(place) AS place FROM matched GROUP BY id)
SELECT c.id AS "cardId", shown_uid(c.uid, c.id_card) AS uid, c.kind::text AS kind, c.note, c.state IN ('pending', 'active') AS live,
  g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
FROM best b JOIN card c ON c.id = b.id
LEFT JOIN primary_guest g ON g.stay_id = c.stay_id AND $7::boolean
ORDER BY b.place, c.state IN ('pending', 'active') DESC, c.id DESC LIMIT ${MAX_RESULTS}`;

/** Shorter prefixes of a number match too many cards. */
const MIN_PREFIX_LENGTH = 3;

/** Finds cards by number in any notation, by its prefix, or by note. */
export async function findCards(
  scope: Scope,
  { key, patterns }: Needle,
  query: string,
): Promise<SearchResult["cards"]> {
  if (!scope.can("cards.view")) return [];
  const hex = query.replace(/[\s:.-]/g, "").toUpperCase();
  const prefix = hex.length >= MIN_PREFIX_LENGTH && /^[0-9A-F]+$/.test(hex) ? hex : null;
  const seesStays = scope.can("stays.view");
  return scope.sql.rows(CARDS, key, patterns, scope.roomIds, uidCandidates(query), prefix, seesStays);
}

const ENTRY = `
SELECT o.id AS "entryId", o.type::text AS type, o.amount_minor AS "amountMinor", g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
FROM folio_entry o
LEFT JOIN stay_now s ON s.id = o.stay_id
LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
WHERE o.hotel_id = $1 AND o.id = $2::int AND ($3::int[] IS NULL OR s.room_id = ANY ($3))`;

/** Finds the folio entry with that id, if the caller may see it. */
export async function findEntry(scope: Scope, entryId: number | null): Promise<SearchResult["entries"]> {
  if (!scope.can("folio.view") || entryId === null) return [];
  return scope.sql.rows(ENTRY, entryId, scope.roomIds);
}

const PASSCODES = `
WITH ${nearest("passcode", visiblePasscodeSql("x", "$4"))}
SELECT p.id AS "passcodeId", p.person, r.name AS "roomName",
  p.deleted_at IS NOT NULL OR coalesce(p.valid_to <= $5::timestamptz, false) AS ended
FROM found f JOIN passcode p ON p.id = f.id JOIN room r ON r.id = p.room_id
ORDER BY f.place LIMIT ${MAX_RESULTS}`;

/** Finds door codes by the person they are for. */
export async function findPasscodes(scope: Scope, { key, patterns }: Needle): Promise<SearchResult["passcodes"]> {
  if (!scope.can("passcodes.view")) return [];
  return scope.sql.rows(PASSCODES, key, patterns, scope.roomIds, scope.now());
}

/** Guests whose stay's last room is among $4, unless it was cancelled (null: all). */
const IN_ROOMS = `($4::int[] IS NULL OR x.id IN (
  SELECT sg.guest_id FROM occupancy o JOIN stay_guest sg ON sg.hotel_id = o.hotel_id AND sg.stay_id = o.stay_id
   WHERE o.hotel_id = $1 AND o.room_id = ANY ($4) AND o.state <> 'cancelled'
     AND NOT EXISTS (SELECT FROM occupancy later WHERE later.hotel_id = $1 AND later.stay_id = o.stay_id AND later.id > o.id)))`;
const STAYED = "EXISTS (SELECT FROM stay_guest sg WHERE sg.hotel_id = $1 AND sg.guest_id = x.id)";

/** A match of a whole document number, or of a guest's number on a stay, comes before all names. */
const GUESTS = `
WITH ${nearest("guest", `x.erased_at IS NULL AND ${STAYED} AND ${IN_ROOMS}`)}, matched AS (
  SELECT id, -1 AS place FROM guest WHERE hotel_id = $1 AND erased_at IS NULL AND document_number_hash = ANY ($5::bytea[])
  UNION ALL SELECT guest_id, -2 FROM stay_guest WHERE hotel_id = $1 AND id = $6::int
  UNION ALL SELECT id, place FROM found
), best AS (SELECT id, min(place) AS place FROM matched GROUP BY id)
SELECT g.id AS "guestId", s.id AS "stayGuestId", s.stay_id AS "stayId", g.name, g.mobile, s.room_name AS "roomName", s.state, s.starts_at AS "startsAt"
FROM best b
JOIN guest g ON g.id = b.id AND g.erased_at IS NULL
JOIN LATERAL (
  SELECT sg.id, s.id AS stay_id, r.name AS room_name, s.state::text AS state, iso(s.starts_at) AS starts_at
    FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id
    JOIN room r ON r.id = s.room_id
   WHERE sg.hotel_id = $1 AND sg.guest_id = g.id AND ($4::int[] IS NULL OR (NOT never_came(s.state) AND s.room_id = ANY ($4)))
   ORDER BY sg.id = $6::int DESC NULLS LAST, s.state = 'checked_in' DESC, s.starts_at DESC LIMIT 1
) s ON true
ORDER BY b.place, g.id DESC LIMIT ${MAX_RESULTS}`;

/** Finds guests by name in any script, phone, whole document number or their number on a stay. */
async function findGuests(
  scope: Scope,
  { key, patterns }: Needle,
  query: string,
  number: number | null,
): Promise<SearchResult["guests"]> {
  if (!scope.can("stays.view")) return [];
  const document = normalDocumentNumber(query);
  // Shorter texts, and those without a digit, can't be document numbers.
  const hashes = document.length >= 5 && /\d/.test(document) ? documentHashes(scope, document) : [];
  return scope.sql.rows(GUESTS, key, patterns, scope.roomIds, hashes, number);
}

const CUSTOMERS = `
WITH ${nearest("customer", "x.deleted_at IS NULL")}
SELECT c.id AS "customerId", c.name, c.company FROM found f JOIN customer c ON c.id = f.id
ORDER BY f.place LIMIT ${MAX_RESULTS}`;

/** Finds customers by name, company, phone or email. */
async function findCustomers(scope: Scope, { key, patterns }: Needle): Promise<SearchResult["customers"]> {
  if (!scope.can("customers.view")) return [];
  return scope.sql.rows(CUSTOMERS, key, patterns);
}

const ANY_OF: readonly Capability[] = [
  "rooms.view",
  "stays.view",
  "customers.view",
  "cards.view",
  "folio.view",
  "passcodes.view",
];
const MAX_ID = 2_147_483_647;

/**
 * Finds rooms, guests, customers, cards, entries and door codes by name or number, nearest first. Ignores case, accents
 * and width in every script; one character is enough. @throws no_permission for callers who may see none of these;
 * kinds they may not see are empty
 */
export async function find(scope: Scope, query: string): Promise<SearchResult> {
  if (!ANY_OF.some((capability) => scope.can(capability))) throw new DomainError("no_permission");
  const needle = await needleOf(scope, query);
  if (!needle) return { rooms: [], guests: [], customers: [], cards: [], entries: [], passcodes: [] };
  const number = numberOf(needle.key);
  const [rooms, guests, customers, cards, entries, passcodes] = await Promise.all([
    findRooms(scope, needle),
    findGuests(scope, needle, query, number),
    findCustomers(scope, needle),
    findCards(scope, needle, query),
    findEntry(scope, number),
    findPasscodes(scope, needle),
  ]);
  return { rooms, guests, customers, cards, entries, passcodes };
}

/** Ids are positive integers of 32 bits. */
function numberOf(key: string): number | null {
  const number = /^\d{1,10}$/.test(key) ? Number(key) : 0;
  return number >= 1 && number <= MAX_ID ? number : null;
}

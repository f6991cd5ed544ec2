import type { Capability } from "@innkey/shared/capabilities";
import { DomainError } from "@innkey/shared/errors";
import { MAX_RESULTS, type SearchResult } from "@innkey/shared/schemas/overview/search";
import type { Scope } from "../../../kernel/scope.ts";
import { documentHashes, normalDocumentNumber } from "../../stays/public.ts";
import { findCards, findEntries, findPasscodes, findRooms, type Needle, nearest } from "./search-sources.ts";

/** Guests whose stay's last room is among $4, unless it was cancelled (null: all). */
const IN_ROOMS = `($4::int[] IS NULL OR x.id IN (
  SELECT sg.guest_id FROM occupancy o JOIN stay_guest sg ON sg.hotel_id = o.hotel_id AND sg.stay_id = o.stay_id
   WHERE o.hotel_id = $1 AND o.room_id = ANY ($4) AND o.state <> 'cancelled'
     AND NOT EXISTS (SELECT FROM occupancy later WHERE later.hotel_id = $1 AND later.stay_id = o.stay_id AND later.id > o.id)))`;
const STAYED = "EXISTS (SELECT FROM stay_guest sg WHERE sg.hotel_id = $1 AND sg.guest_id = x.id)";

/** A match of a whole document number, or of a guest's number on a stay, comes before all names. */
const GUESTS = `
WITH ${nearest("guest", `x.erased_at IS NULL AND ${STAYED} AND ${IN_ROOMS}`)}, meant AS (
  SELECT id, -1 AS place FROM guest WHERE hotel_id = $1 AND erased_at IS NULL AND document_number_hash = ANY ($5::bytea[])
  UNION ALL SELECT guest_id, -2 FROM stay_guest WHERE hotel_id = $1 AND id = $6::int
  UNION ALL SELECT id, place FROM found
), best AS (SELECT id, min(place) AS place FROM meant GROUP BY id)
SELECT g.id AS "guestId", s.id AS "stayGuestId", s.stay_id AS "stayId", g.name, g.mobile, s.room_name AS "roomName", s.state, s.starts_at AS "startsAt"
FROM best b
JOIN guest g ON g.id = b.id AND g.erased_at IS NULL
JOIN LATERAL (
  SELECT sg.id, s.id AS stay_id, r.name AS room_name, s.state::text AS state, iso(s.starts_at) AS starts_at
    FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id
    JOIN room r ON r.id = s.room_id
   WHERE sg.hotel_id = $1 AND sg.guest_id = g.id AND ($4::int[] IS NULL OR (s.state <> 'cancelled' AND s.room_id = ANY ($4)))
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
    findEntries(scope, number),
    findPasscodes(scope, needle),
  ]);
  return { rooms, guests, customers, cards, entries, passcodes };
}

/** Null for a query without a letter or digit. */
async function needleOf(scope: Scope, query: string): Promise<Needle | null> {
  const [row] = await scope.sql.rows<{ key: string }>(
    "SELECT search_text($2::text) AS key WHERE $1::int IS NOT NULL",
    query,
  );
  if (!row?.key) return null;
  // Words of one or two characters are indexed whole and need no verification.
  const long = row.key.split(" ").filter((word) => [...word].length > 2);
  return { key: row.key, patterns: long.map((word) => `%${word}%`) };
}

/** Ids are positive integers of 32 bits. */
function numberOf(key: string): number | null {
  const number = /^\d{1,10}$/.test(key) ? Number(key) : 0;
  return number >= 1 && number <= MAX_ID ? number : null;
}

import { MAX_RESULTS, type SearchResult } from "@innkey/shared/schemas/overview/search";

import type { Scope } from "../../../kernel/scope.ts";
import { documentHashes, normalDocumentNumber } from "../../stays/public.ts";
import { type Needle, nearest } from "./search-sources.ts";

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
export async function findGuests(
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
export async function findCustomers(scope: Scope, { key, patterns }: Needle): Promise<SearchResult["customers"]> {
  if (!scope.can("customers.view")) return [];
  return scope.sql.rows(CUSTOMERS, key, patterns);
}

import { uidCandidates } from "@innkey/shared/cards/uid";
import type { Scope } from "../../../kernel/scope.ts";
import { needleOf } from "../../../kernel/search-needle.ts";

/** Ids of the guests, keys and rooms whose door records are searched for. */
export interface FoundSubjects {
  stayGuestIds: number[];
  cardIds: number[];
  credentialIds: number[];
  roomIds: number[];
}

/** Whoever shares a name with more people than this has to type more of it. */
const MAX_EACH = 100;

/**
 * $2: the key, $3: patterns of its words, $4: card numbers, $5: whether the caller may see guests' phone numbers, $6:
 * the key if it is a number. Names are shown to everybody who sees the records; phone numbers are not.
 */
const FIND = `
WITH named AS (
  SELECT sg.id FROM guest g JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.guest_id = g.id
   WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND search_grams(g.search_key) @> search_needles($2::text)
     AND CASE WHEN $5::boolean THEN g.search_key ELSE split_part(g.search_key, E'\\n', 1) END LIKE ALL ($3::text[])
   ORDER BY sg.id DESC LIMIT ${MAX_EACH}
), carded AS (
  SELECT c.id FROM card c WHERE c.hotel_id = $1 AND c.uid = ANY ($4::text[])
  UNION SELECT c.id FROM card c WHERE c.hotel_id = $1 AND c.kind <> 'guest' AND c.note <> ''
     AND search_grams(c.search_key) @> search_needles($2::text) AND c.search_key LIKE ALL ($3::text[])
   ORDER BY id DESC LIMIT ${MAX_EACH}
), keyed AS (
  SELECT t.id FROM passcode p JOIN credential t ON t.passcode_id = p.id
   WHERE p.hotel_id = $1 AND search_grams(p.search_key) @> search_needles($2::text) AND p.search_key LIKE ALL ($3::text[])
  UNION SELECT t.id FROM face f JOIN credential t ON t.face_id = f.id
   WHERE f.hotel_id = $1 AND search_text(f.note) LIKE ALL ($3::text[])
   ORDER BY id DESC LIMIT ${MAX_EACH}
), placed AS (
  SELECT r.id FROM room r WHERE r.hotel_id = $1 AND split_part(r.search_key, E'\\n', 1) = $2::text
)
SELECT CASE WHEN number THEN '{}' ELSE ARRAY(SELECT id FROM named) END AS "stayGuestIds", ARRAY(SELECT id FROM carded) AS "cardIds",
  CASE WHEN number THEN '{}' ELSE ARRAY(SELECT id FROM keyed) END AS "credentialIds", ARRAY(SELECT id FROM placed) AS "roomIds"
FROM (SELECT $6::boolean AND EXISTS (SELECT FROM placed) AS number) room`;

/** Finds what a person typed among guests, keys and rooms; digits that are a room's name mean this room. */
export async function findSubjects(scope: Scope, keyword: string): Promise<FoundSubjects> {
  const needle = await needleOf(scope, keyword);
  if (!needle) return { stayGuestIds: [], cardIds: [], credentialIds: [], roomIds: [] };
  const { key } = needle;
  const [subjects] = await scope.sql.rows<FoundSubjects>(
    FIND,
    key,
    key.split(" ").map((word) => `%${word}%`),
    scope.can("cards.view") ? uidCandidates(keyword) : [],
    scope.can("stays.view"),
    /^\d+$/.test(key),
  );
  if (!subjects) throw new Error("the search returns one row");
  return subjects;
}

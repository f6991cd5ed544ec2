import { MAX_RESULTS } from "@innkey/shared/schemas/search";

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
 * Returns SQL for `found (id, place)`: rows whose search key begins with `$2`, in order, and then, if those are few,
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

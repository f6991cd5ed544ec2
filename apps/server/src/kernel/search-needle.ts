import type { Scope } from "./scope.ts";

/** A search term prepared for SQL; its indexes and functions are in prisma/migrations/0_init. */
export interface Needle {
  /** normalised by `search_text`; never empty, and without LIKE wildcards */
  key: string;
  /** LIKE patterns of the words that the trigram index alone can't verify */
  patterns: string[];
}

/** Fewer digits with a leading zero could be the number of a room or a document. */
const MIN_PHONE_DIGITS = 7;

/**
 * Returns a phone number as it occurs in every way of writing it: without blanks, and without the zeros or the plus that
 * stand before a country or an area. Any other text is returned unchanged.
 */
function withoutPhonePrefix(query: string): string {
  if (!/^[+\d][\d\s()./-]*$/.test(query)) return query;
  const digits = query.replace(/\D/g, "");
  return digits.length < MIN_PHONE_DIGITS ? query : digits.replace(/^0+/, "");
}

/** Returns what a person typed as the parameter of `containsWords`; '' finds everything. */
export function searchQuery(query: string): string {
  return withoutPhonePrefix(query.trim());
}

/**
 * Returns SQL: every word of the parameter, which is a `searchQuery`, occurs in the values, in any order; words of one
 * or two letters at the beginning of a word, as in `search_needles`. The values are SQL of texts that are normalised
 * already: a search key, or a `search_text`; null is left out. It is for lists of one hotel, which need no index.
 */
export function containsWords(parameter: string, ...values: string[]): string {
  const text = `' ' || translate(concat_ws(' ', ${values.join(", ")}), E'\\n', ' ')`;
  return `(${parameter}::text = '' OR ${text} LIKE ALL ((SELECT search_patterns(${parameter}::text))::text[]))`;
}

/** Returns the needle of what a person typed, or null for a query without a letter or digit. */
export async function needleOf(scope: Scope, query: string): Promise<Needle | null> {
  const [row] = await scope.sql.rows<{ key: string }>(
    "SELECT search_text($2::text) AS key WHERE $1::int IS NOT NULL",
    searchQuery(query),
  );
  if (!row?.key) return null;
  // Words of one or two characters are indexed whole and need no verification.
  const long = row.key.split(" ").filter((word) => [...word].length > 2);
  return { key: row.key, patterns: long.map((word) => `%${word}%`) };
}

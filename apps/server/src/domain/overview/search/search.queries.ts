import type { Capability } from "@innkey/shared/capabilities";
import { DomainError } from "@innkey/shared/errors";
import type { SearchResult } from "@innkey/shared/schemas/overview/search";
import type { Scope } from "../../../kernel/scope.ts";
import { findCustomers, findGuests } from "./people.ts";
import { findCards, findEntries, findPasscodes, findRooms, type Needle } from "./search-sources.ts";

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

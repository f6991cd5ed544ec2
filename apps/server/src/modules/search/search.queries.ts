import type { Capability } from "@innkey/shared/capabilities";
import { DomainError } from "@innkey/shared/errors";
import type { SearchResult } from "@innkey/shared/schemas/search";
import type { Scope } from "../../core/scope.ts";
import type { Needle } from "./nearest.sql.ts";
import { findCustomers, findGuests } from "./people.ts";
import { findCards, findOrders, findPasscodes, findRooms } from "./search-sources.ts";

const ANY_OF: readonly Capability[] = [
  "rooms.view",
  "stays.view",
  "customers.view",
  "cards.view",
  "orders.view",
  "passcodes.view",
];
const MAX_ID = 2_147_483_647;

/**
 * What a hotel has by that name or number: rooms, guests, customers, cards, orders, codes, nearest first. Compared without
 * case, accents and width, in every script; one character is enough.
 * @throws no_permission for those who see none of these; a kind they don't see is empty
 */
export async function find(scope: Scope, query: string): Promise<SearchResult> {
  if (!ANY_OF.some((capability) => scope.can(capability))) throw new DomainError("no_permission");
  const needle = await needleOf(scope, query);
  if (!needle) return { rooms: [], guests: [], customers: [], cards: [], orders: [], passcodes: [] };
  const number = numberOf(needle.key);
  const [rooms, guests, customers, cards, orders, passcodes] = await Promise.all([
    findRooms(scope, needle),
    findGuests(scope, needle, query, number),
    findCustomers(scope, needle),
    findCards(scope, needle, query),
    findOrders(scope, number),
    findPasscodes(scope, needle),
  ]);
  return { rooms, guests, customers, cards, orders, passcodes };
}

/** Null for what has neither a letter nor a figure. */
async function needleOf(scope: Scope, query: string): Promise<Needle | null> {
  const [row] = await scope.sql.rows<{ key: string }>(
    "SELECT search_text($2::text) AS key WHERE $1::int IS NOT NULL",
    query,
  );
  if (!row?.key) return null;
  // What is indexed whole, words of one or two characters, needs no second look.
  const long = row.key.split(" ").filter((word) => [...word].length > 2);
  return { key: row.key, patterns: long.map((word) => `%${word}%`) };
}

/** Ids are positive integers of 32 bits. */
function numberOf(key: string): number | null {
  const number = /^\d{1,10}$/.test(key) ? Number(key) : 0;
  return number >= 1 && number <= MAX_ID ? number : null;
}

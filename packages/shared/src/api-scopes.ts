import type { Capability } from "./capabilities.ts";

/**
 * What a program may be allowed to do in the hotel's name. People, money out of the house, the journal, keys of cards and
 * what is on this list itself stay with people.
 */
export const API_SCOPES = [
  "rooms.view",
  "rooms.status",
  "stays.view",
  "stays.manage",
  "customers.view",
  "customers.manage",
  "orders.view",
  "breakfast.manage",
  "cards.view",
  "cards.issue",
  "passcodes.view",
  "passcodes.issue",
  "locks.view",
  "locks.open",
  "locks.retry",
  "unlocks.view",
  "messages.view",
  "messages.manage",
] as const satisfies readonly Capability[];

export type ApiScope = (typeof API_SCOPES)[number];

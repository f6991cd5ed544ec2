import type { Capability } from "./capabilities.ts";

/**
 * Capabilities that a program can have in the hotel's name. Staff, money leaving the hotel, the audit, card keys and
 * the API keys themselves are reserved for people.
 */
export const API_SCOPES = [
  "rooms.view",
  "rooms.status",
  "stays.view",
  "stays.manage",
  "customers.view",
  "customers.manage",
  "folio.view",
  "breakfast.manage",
  "cards.view",
  "cards.issue",
  "passcodes.view",
  "passcodes.issue",
  "locks.view",
  "locks.open",
  "locks.retry",
  "unlocks.view",
  "alerts.view",
  "alerts.manage",
] as const satisfies readonly Capability[];

export type ApiScope = (typeof API_SCOPES)[number];

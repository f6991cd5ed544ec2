import type { Role } from "./enums.ts";

/**
 * Every permission of the console. The `roles` have it by role; staff have what they were granted, and only in the
 * rooms granted to them. A service names the capability it needs in its first line. A capability that ends in "view",
 * and `guests.documents`, changes nothing but hand-over notes; a test checks this for every mutation.
 */
export const CAPABILITIES = {
  "rooms.view": { roles: ["owner", "administrator"], grantable: true },
  "rooms.status": { roles: ["owner", "administrator"], grantable: true },
  "rooms.manage": { roles: ["owner", "administrator"], grantable: false },
  "prices.manage": { roles: ["owner", "administrator"], grantable: false },
  "prices.agree": { roles: ["owner", "administrator"], grantable: true },
  "stays.view": { roles: ["owner", "administrator"], grantable: true },
  "stays.manage": { roles: ["owner", "administrator"], grantable: true },
  "guests.documents": { roles: ["owner", "administrator"], grantable: true },
  "cards.view": { roles: ["owner", "administrator"], grantable: true },
  "cards.issue": { roles: ["owner", "administrator"], grantable: true },
  "cards.master": { roles: ["owner", "administrator"], grantable: false },
  "encryption.manage": { roles: ["owner", "administrator"], grantable: false },
  "passcodes.view": { roles: ["owner", "administrator"], grantable: true },
  "passcodes.issue": { roles: ["owner", "administrator"], grantable: true },
  "faces.view": { roles: ["owner", "administrator"], grantable: true },
  "faces.manage": { roles: ["owner", "administrator"], grantable: true },
  "locks.view": { roles: ["owner", "administrator"], grantable: true },
  "locks.open": { roles: ["owner", "administrator"], grantable: true },
  "locks.retry": { roles: ["owner", "administrator"], grantable: true },
  "locks.manage": { roles: ["owner", "administrator"], grantable: false },
  "alerts.view": { roles: ["owner", "administrator"], grantable: true },
  "alerts.manage": { roles: ["owner", "administrator"], grantable: true },
  "cardReaders.view": { roles: ["owner", "administrator"], grantable: true },
  "cardReaders.manage": { roles: ["owner", "administrator"], grantable: false },
  "customers.view": { roles: ["owner", "administrator"], grantable: true },
  "customers.manage": { roles: ["owner", "administrator"], grantable: true },
  "folio.view": { roles: ["owner", "administrator"], grantable: true },
  "folio.refund": { roles: ["owner", "administrator"], grantable: true },
  "balance.view": { roles: ["owner", "administrator"], grantable: false },
  "balance.manage": { roles: ["owner", "administrator"], grantable: false },
  "reports.view": { roles: ["owner", "administrator"], grantable: true },
  "reports.close": { roles: ["owner", "administrator"], grantable: true },
  "breakfast.manage": { roles: ["owner", "administrator"], grantable: true },
  "unlocks.view": { roles: ["owner", "administrator"], grantable: true },
  "hotel.view": { roles: ["owner", "administrator"], grantable: true },
  "hotel.manage": { roles: ["owner", "administrator"], grantable: false },
  "staff.view": { roles: ["owner", "administrator"], grantable: false },
  "staff.manage": { roles: ["owner", "administrator"], grantable: false },
  "integrations.manage": { roles: ["owner", "administrator"], grantable: false },
  "exports.make": { roles: ["owner", "administrator"], grantable: true },
  "privacy.manage": { roles: ["owner", "administrator"], grantable: false },
  "audit.view": { roles: ["owner", "administrator"], grantable: false },
  "outbox.view": { roles: ["owner"], grantable: false },
  "system.view": { roles: ["owner"], grantable: false },
} as const satisfies Record<string, { roles: readonly Role[]; grantable: boolean }>;

export type Capability = keyof typeof CAPABILITIES;

export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as Capability[];

export const GRANTABLE_CAPABILITIES = CAPABILITY_NAMES.filter((name) => CAPABILITIES[name].grantable);

/**
 * Returns what a role (and, for staff, its grants) may do. Grants of capabilities that can't be granted are ignored.
 */
export function capabilitiesOf(role: Role, granted: readonly string[]): ReadonlySet<Capability> {
  const allowed = CAPABILITY_NAMES.filter((name) => {
    const { roles, grantable } = CAPABILITIES[name];
    return (roles as readonly Role[]).includes(role) || (role === "staff" && grantable && granted.includes(name));
  });
  return new Set(allowed);
}

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

import type { Database } from "../adapters/postgres/client.ts";
import type { Clock } from "./clock.ts";
import { hotelDatabases } from "./hotel-database.ts";
import { Scope, type ScopeInput, type Secrets } from "./scope.ts";

/**
 * Creates scopes: joins what an entry point or job knows about the caller with the process's database, clock and
 * secrets.
 */
export type ScopeFactory = (caller: Omit<ScopeInput, "database" | "clock" | "secrets">) => Scope;

export function scopeFactory(deps: { database: Database; clock: Clock; secrets: Secrets }): ScopeFactory {
  const databaseOf = hotelDatabases(deps.database);
  return (caller) =>
    new Scope({ ...caller, database: databaseOf(caller.hotel.id), clock: deps.clock, secrets: deps.secrets });
}

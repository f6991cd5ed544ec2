import { randomUUID } from "node:crypto";
import { languageOf } from "@innkey/shared/languages";
import type { Database } from "../adapters/postgres/client.ts";
import type { Clock } from "./clock.ts";
import { hotelDatabases } from "./hotel-database.ts";
import { type HotelContext, Scope, type ScopeInput, type Secrets, SYSTEM_ACTOR } from "./scope.ts";

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

/** Returns the console's own scope in a hotel, for jobs and devices; null if the hotel doesn't exist. */
export type SystemScopes = (hotelId: number) => Promise<Scope | null>;

/** We cache hotels for this time, because they change rarely and locks report often. */
const CACHE_MS = 10_000;

const HOTEL = `SELECT id, name, currency, language, check_in_time AS "checkInTime", check_out_time AS "checkOutTime",
  time_zone AS "timeZone", day_start_time AS "dayStartTime", weekend_nights AS "weekendNights",
  access_early_minutes AS "accessEarlyMinutes", access_late_minutes AS "accessLateMinutes" FROM hotel WHERE id = $1`;

export function systemScopes({ pool }: Pick<Database, "pool">, openScope: ScopeFactory): SystemScopes {
  const cache = new Map<number, { hotel: HotelContext; until: number }>();
  return async (hotelId) => {
    const now = performance.now();
    let entry = cache.get(hotelId);
    if (!entry || entry.until < now) {
      const [hotel] = (await pool.query<HotelContext>(HOTEL, [hotelId])).rows;
      if (!hotel) return null;
      entry = { hotel, until: now + CACHE_MS };
      cache.set(hotelId, entry);
    }
    const { hotel } = entry;
    const language = languageOf(hotel.language).code;
    return openScope({ actor: SYSTEM_ACTOR, hotel, language, channel: "system", address: "", requestId: randomUUID() });
  };
}

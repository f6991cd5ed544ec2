import { randomUUID } from "node:crypto";
import { API_SCOPES, type Capability, capabilitiesOf } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { HourFormat } from "@innkey/shared/hour-format";
import { type LanguageCode, languageOf } from "@innkey/shared/languages";
import type { HotelCalendar } from "@innkey/shared/price-rules";
import type { Database } from "../adapters/postgres/client.ts";
import type { Clock } from "./clock.ts";
import { type HotelDatabase, type HotelReadSql, type HotelReads, hotelDatabases } from "./hotel-database.ts";
import { type SecretBox, type SecretPurpose, secretBox } from "./secret-box.ts";
import { runTransaction, type Transaction } from "./transaction.ts";

export type Channel = "console" | "manage" | "gateway" | "guest" | "system";

/** Who makes the request. `rooms` is "all", or the rooms granted to a staff member. */
export interface Actor {
  kind: "operator" | "key" | "guest" | "system";
  id: number | null;
  name: string;
  role: Role;
  capabilities: ReadonlySet<Capability>;
  rooms: "all" | ReadonlySet<number>;
  apiKeyAuth: boolean;
}

/** The hotel of the request; times of day are "HH:mm" in its time zone. */
export interface HotelContext extends HotelCalendar {
  id: number;
  name: string;
  currency: string;
  language: string;
  hourFormat: HourFormat;
  checkInTime: string;
  checkOutTime: string;
  /** How long before the planned arrival and after the planned departure keys and codes work */
  accessEarlyMinutes: number;
  accessLateMinutes: number;
}

export interface Secrets {
  card: SecretBox;
  /** Door codes, and data on its way to a lock */
  code: SecretBox;
  document: SecretBox;
  /** Pictures of faces */
  face: SecretBox;
  /** Heads of the audit chains */
  audit: SecretBox;
  /** Secrets of locks and accounts of device links */
  lock: SecretBox;
  message: SecretBox;
  /** Numbers of withdrawal accounts */
  payout: SecretBox;
  /** Secrets of operators' authenticator apps */
  totp: SecretBox;
  /** Keys that sign webhook events */
  webhook: SecretBox;
}

/** Creates a process's secret boxes from the configured key; `previous` are its earlier keys. */
export function secretsOf(rootKey: Uint8Array, previous: readonly Uint8Array[] = []): Secrets {
  const box = (purpose: SecretPurpose): SecretBox => secretBox(rootKey, purpose, previous);
  return {
    audit: box("journal"),
    card: box("card"),
    code: box("code"),
    document: box("document"),
    face: box("face"),

    lock: box("lock"),
    message: box("message"),
    payout: box("payout"),
    totp: box("totp"),
    webhook: box("webhook"),
  };
}

export interface ScopeInput {
  actor: Actor;
  hotel: HotelContext;
  database: HotelDatabase;
  language: LanguageCode;
  channel: Channel;
  address: string;
  requestId: string;
  clock: Clock;
  secrets: Secrets;
}

/**
 * The caller of a service, with their permissions and their access to data; a service has no other access. It is the
 * first argument of every service function. Everything outside the caller's hotel or rooms does not exist for it.
 */
export class Scope {
  readonly actor: Actor;
  readonly hotel: HotelContext;
  readonly hotelId: number;
  readonly language: LanguageCode;
  readonly channel: Channel;
  readonly address: string;
  readonly requestId: string;
  readonly secrets: Secrets;
  readonly #clock: Clock;
  readonly #database: HotelDatabase;

  constructor(input: ScopeInput) {
    this.actor = input.actor;
    this.hotel = input.hotel;
    this.hotelId = input.hotel.id;
    this.language = input.language;
    this.channel = input.channel;
    this.address = input.address;
    this.requestId = input.requestId;
    this.secrets = input.secrets;
    this.#clock = input.clock;
    this.#database = input.database;
  }

  get reads(): HotelReads {
    return this.#database.reads;
  }

  get sql(): HotelReadSql {
    return this.#database.sql;
  }

  now(): Date {
    return this.#clock.now();
  }

  /** Id of the acting operator, for columns that refer to one; null for programs and the console itself. */
  get operatorId(): number | null {
    return this.actor.kind === "operator" ? this.actor.id : null;
  }

  can(capability: Capability): boolean {
    return this.actor.capabilities.has(capability);
  }

  /** Checks a permission; the visible first line of a service function. @throws no_permission */
  require(capability: Capability): void {
    if (!this.can(capability)) throw new DomainError("no_permission");
  }

  /** @throws no_permission unless the caller is an owner */
  requireOwner(): void {
    if (this.actor.role !== "owner") throw new DomainError("no_permission");
  }

  /** @throws not_found for a room that was not granted, exactly as for one that doesn't exist */
  requireRoom(roomId: number): void {
    if (!this.seesRoom(roomId)) throw new DomainError("not_found");
  }

  seesRoom(roomId: number): boolean {
    return this.actor.rooms === "all" || this.actor.rooms.has(roomId);
  }

  /** The caller's rooms for a query, or null for all. */
  get roomIds(): number[] | null {
    return this.actor.rooms === "all" ? null : [...this.actor.rooms];
  }

  /** Runs one write: a transaction that also commits its audit entries and board version. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(this, this.#database, work);
  }
}

/** Identifies what a caller may see and do; callers of one hotel with the same permissions and rooms have the same. */
export const permissionsKey = ({ hotelId, roomIds, actor }: Scope): string =>
  JSON.stringify([hotelId, roomIds?.toSorted((a, b) => a - b), [...actor.capabilities].sort(), actor.apiKeyAuth]);

/** Returns the actor of a membership, with its capabilities. */
export function actorOf(input: {
  operatorId: number;
  name: string;
  role: Role;
  capabilities: readonly string[];
  roomIds: readonly number[];
  apiKeyAuth: boolean;
}): Actor {
  return {
    kind: "operator",
    id: input.operatorId,
    name: input.name,
    role: input.role,
    capabilities: capabilitiesOf(input.role, input.capabilities),
    rooms: input.role === "staff" ? new Set(input.roomIds) : "all",
    apiKeyAuth: input.apiKeyAuth,
  };
}

/** Returns the actor of an API key: the key's scopes, in all rooms. */
export function keyActor(key: { id: number; name: string; scopes: readonly string[] }): Actor {
  const granted = API_SCOPES.filter((scope) => key.scopes.includes(scope));
  return {
    kind: "key",
    id: key.id,
    name: key.name,
    role: "staff",
    capabilities: new Set(granted),
    rooms: "all",
    apiKeyAuth: false,
  };
}

/**
 * Returns the actor of a guest at their own page, with the rooms that they reach. They have no name here, because audit
 * entries keep the actor's name for ever.
 */
export function guestActor(input: {
  stayGuestId: number;
  rooms: Actor["rooms"];
  capabilities: readonly Capability[];
}): Actor {
  return {
    kind: "guest",
    id: input.stayGuestId,
    name: "",
    role: "staff",
    capabilities: new Set(input.capabilities),
    rooms: input.rooms,
    apiKeyAuth: false,
  };
}

/** The console itself, for jobs and the demo. */
export const SYSTEM_ACTOR: Actor = {
  kind: "system",
  id: null,
  name: "Innkey",
  role: "owner",
  capabilities: capabilitiesOf("owner", []),
  rooms: "all",
  apiKeyAuth: false,
};

/**
 * Integrations need an authorisation in addition to the role (source: specification, section 6).
 * @throws no_permission, feature_off
 */
export function requireIntegrations(scope: Scope): void {
  scope.require("integrations.manage");
  if (!scope.actor.apiKeyAuth) throw new DomainError("feature_off");
}

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

/** Hotels are cached for this time, because they change rarely and locks report often. */
const CACHE_MS = 10_000;

const HOTEL = `SELECT id, name, currency, language, hour_format AS "hourFormat", check_in_time AS "checkInTime", check_out_time AS "checkOutTime",
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

class RolledBack extends Error {}

/**
 * Runs `work` like a write, then rolls it back: nothing is stored, published or audited. Its result is what the write
 * would have returned at that moment. It waits for the same locks as the write.
 */
export async function rehearse<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let outcome: { value: T } | null = null;
  // TypeScript would otherwise assume that `outcome` is still null after the callback.
  const readOutcome = (): { value: T } | null => outcome;
  try {
    await scope.write(async (tx) => {
      outcome = { value: await work(tx) };
      throw new RolledBack();
    });
  } catch (error) {
    const result = readOutcome();
    if (error instanceof RolledBack && result) return result.value;
    throw error;
  }
  throw new Error("a rehearsal was committed");
}

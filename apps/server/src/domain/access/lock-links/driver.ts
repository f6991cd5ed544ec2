import type { LockDriver as LockDriverName, LockErrorCode } from "@innkey/shared/enums";
import type { AckMessage, CommandMessage, LockEvent, StatusMessage } from "@innkey/shared/locks/protocol";
import type { Database } from "../../../adapters/postgres/client.ts";

/** A lock as drivers see it. */
export interface DriverLock {
  id: number;
  hotelId: number;
  mac: string;
  address: string;
}

/** Result of sending a command through a driver. */
export type SendResult =
  /** sent; the lock answers later, through `LockPlane.acknowledge` */
  | { outcome: "sent" }
  /** executed or refused at once; `ack` is the lock's answer */
  | { outcome: "answered"; ack: Omit<AckMessage, "id"> }
  /** not delivered; with `again` false it never will be */
  | { outcome: "undelivered"; error: LockErrorCode; again: boolean };

/**
 * One way to reach locks. A driver stores no state of commands, so it may get the same command twice. If a lock of
 * another make reports that it has the credential already, the driver checks the lock before it reports an error.
 */
export interface LockDriver {
  readonly name: LockDriverName;
  /** Sends a command. `signal` aborts when the time for one try is over. @throws never; failures are outcomes */
  send(lock: DriverLock, command: CommandMessage, signal: AbortSignal): Promise<SendResult>;
}

/** Whether locks of this driver report when they connect and disconnect. All others are always tried. */
export const hasPresence = (driver: LockDriverName): boolean => driver === "mqtt";

/**
 * Whether locks of this driver remove expired credentials themselves. The others keep them until a command removes
 * them.
 */
export const removesExpiredCredentials = (driver: LockDriverName): boolean => driver !== "zigbee2mqtt";

/** External name of a lock: its MAC address on our own topics, or its address in another system. */
export type LockName =
  | { hotelId: number; mac: string }
  | { hotelId: number; driver: Exclude<LockDriverName, "mqtt">; address: string };

/** An event as a driver passes it on. */
export interface ReceivedEvent extends LockEvent {
  /** the lock's own name for the key, if the lock names it and this console did not create it */
  foreignKey?: string;
}

/** Reports from drivers to the console. Unregistered locks are ignored and logged once. */
export interface LockReports {
  /** Processes the answer to a command. A repeated answer changes nothing. */
  acknowledge(lock: LockName, ack: AckMessage): Promise<void>;
  /** Processes a status report. `retained`: the broker stored it earlier, so it may not describe the present. */
  status(lock: LockName, status: StatusMessage, retained?: boolean): Promise<void>;
  /** Reports that the lock has subscribed, so commands reach it from now on. Only our own broker reports this. */
  listening(lock: LockName): Promise<void>;
  /**
   * Stores each event once. Resolves after commit, with the number up to which the lock may delete its events. `log`:
   * the lock's memory that the events come from, if the lock named it.
   */
  events(lock: LockName, events: readonly ReceivedEvent[], log?: string | null): Promise<number>;
}

/** The identity of a broker user. */
export type DeviceUser =
  /** `login`: fingerprint of the password that the connection logged in with */
  | { kind: "lock"; hotelId: number; mac: string; login?: string }
  /** `base`: the topic below which the link has full access */
  | { kind: "link"; hotelId: number; link: "zigbee2mqtt" | "home_assistant"; base: string };

/** A user account for a broker that does not ask the console. */
export interface DeviceAccount {
  user: string;
  password: string;
  identity: DeviceUser;
}

export interface DeviceAccounts {
  /** all users that may connect now, except those whose password was issued before passwords were stored sealed */
  accounts(): Promise<DeviceAccount[]>;
}

/** Our own broker calls this at every connection. */
export interface DeviceAccess {
  /** Returns null for an unknown user or a wrong password. */
  authenticate(user: string, password: string): Promise<DeviceUser | null>;
}

/**
 * Lifetime of a cached id. It is short because a lock may be renamed or removed, yet long enough for frequent reports.
 */
const CACHE_MS = 5_000;
const MAX_ENTRIES = 20_000;

const BY_MAC = "SELECT id FROM lock WHERE hotel_id = $1 AND driver = 'mqtt' AND mac = $2 AND deleted_at IS NULL";
const BY_ADDRESS =
  "SELECT id FROM lock WHERE hotel_id = $1 AND driver = $3::lock_driver AND address = $2 AND deleted_at IS NULL";

/**
 * Finds the row of a lock by its external name. Only existing locks are cached, so that a new lock is recognised from
 * its first message.
 */
export class LockDirectory {
  readonly #pool: Database["pool"];
  readonly #cache = new Map<string, { lockId: number; until: number }>();
  readonly #pending = new Map<string, Promise<number | null>>();

  constructor({ pool }: Pick<Database, "pool">) {
    this.#pool = pool;
  }

  /**
   * Returns null for a lock that is not registered. Calls for the same lock are answered in the order in which they
   * were made.
   */
  async find(name: LockName): Promise<number | null> {
    const key = keyOf(name);
    const cached = this.#cache.get(key);
    if (cached && cached.until > performance.now()) return cached.lockId;
    let pending = this.#pending.get(key);
    if (!pending) {
      pending = this.#query(name, key).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  async #query(name: LockName, key: string): Promise<number | null> {
    const { rows } = await this.#pool.query<{ id: number }>(
      "mac" in name
        ? { name: "lock-by-mac", text: BY_MAC, values: [name.hotelId, storedMac(name.mac)] }
        : { name: "lock-by-address", text: BY_ADDRESS, values: [name.hotelId, name.address, name.driver] },
    );
    const [lock] = rows;
    this.#cache.delete(key);
    if (!lock) return null;
    if (this.#cache.size >= MAX_ENTRIES) this.#cache.clear();
    this.#cache.set(key, { lockId: lock.id, until: performance.now() + CACHE_MS });
    return lock.id;
  }

  forget(name: LockName): void {
    this.#cache.delete(keyOf(name));
  }
}

/** Returns a lock's key in the cache, which also names it in logs. */
export const keyOf = (name: LockName): string =>
  "mac" in name ? `${name.hotelId}/${storedMac(name.mac)}` : `${name.hotelId}/${name.driver}/${name.address}`;

/** Returns a MAC address as stored in the table: upper-case hex with colons. */
export const storedMac = (mac: string): string =>
  mac
    .toUpperCase()
    .replace(/[^0-9A-F]/g, "")
    .replace(/(..)(?=.)/g, "$1:");

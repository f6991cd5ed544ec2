import type { Database } from "../../../adapters/postgres/client.ts";
import type { LockName } from "../lock-links/driver.ts";

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

import type { Database } from "../../infra/database/client.ts";
import type { LockName } from "./reports.ts";

/** A lock may be renamed or removed meanwhile; what it reports is asked for often. */
const KEPT_MS = 5_000;
const MAX_KEPT = 20_000;

const BY_MAC = "SELECT id FROM lock WHERE hotel_id = $1 AND driver = 'mqtt' AND mac = $2 AND removed_at IS NULL";
const BY_ADDRESS =
  "SELECT id FROM lock WHERE hotel_id = $1 AND driver = $3::lock_driver AND address = $2 AND removed_at IS NULL";

/** Which row a lock is that the outside names. Only what is found is remembered: a new lock is heard from its first word. */
export class LockDirectory {
  readonly #pool: Database["pool"];
  readonly #kept = new Map<string, { lockId: number; until: number }>();
  readonly #asked = new Map<string, Promise<number | null>>();

  constructor({ pool }: Pick<Database, "pool">) {
    this.#pool = pool;
  }

  /** null for a lock that nobody registered. Those who ask for a lock are answered in the order in which they asked. */
  async find(name: LockName): Promise<number | null> {
    const key = keyOf(name);
    const cached = this.#kept.get(key);
    if (cached && cached.until > performance.now()) return cached.lockId;
    let pending = this.#asked.get(key);
    if (!pending) {
      pending = this.#look(name, key).finally(() => this.#asked.delete(key));
      this.#asked.set(key, pending);
    }
    return pending;
  }

  async #look(name: LockName, key: string): Promise<number | null> {
    const { rows } = await this.#pool.query<{ id: number }>(
      "mac" in name
        ? { name: "lock-by-mac", text: BY_MAC, values: [name.hotelId, storedMac(name.mac)] }
        : { name: "lock-by-address", text: BY_ADDRESS, values: [name.hotelId, name.address, name.driver] },
    );
    const [lock] = rows;
    this.#kept.delete(key);
    if (!lock) return null;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(key, { lockId: lock.id, until: performance.now() + KEPT_MS });
    return lock.id;
  }

  forget(name: LockName): void {
    this.#kept.delete(keyOf(name));
  }
}

/** What a lock is called in logs, and here. */
export const keyOf = (name: LockName): string =>
  "mac" in name ? `${name.hotelId}/${storedMac(name.mac)}` : `${name.hotelId}/${name.driver}/${name.address}`;

/** A MAC as the table has it: upper-case hex with colons. */
export const storedMac = (mac: string): string =>
  mac
    .toUpperCase()
    .replace(/[^0-9A-F]/g, "")
    .replace(/(..)(?=.)/g, "$1:");

import { pause } from "../service.ts";
import type { VirtualCard } from "../virtual-card.ts";
import { type LockAccess, LockClient } from "./lock-client.ts";
import { type LockFaults, lockFaultsOf } from "./lock-faults.ts";
import { freshMemory } from "./lock-memory.ts";
import { StreetFile } from "./street-file.ts";
import { chanceOf, type Traffic, visit } from "./traffic.ts";
import { VirtualLock } from "./virtual-lock.ts";

export interface StreetOptions {
  locks: readonly (LockAccess & { name?: string })[];
  /** file that stores passwords and memories between runs; without it they are not stored */
  memoryFile?: string;
  traffic?: Traffic;
  /** initial faults of every lock */
  faults?: Partial<LockFaults>;
  /** requests a new password after the broker refused the old one; null: not possible now */
  renew?: (mac: string) => Promise<LockAccess | null>;
  resendMs?: number;
  /** interval between a lock's status messages */
  statusMs?: number;
  random?: () => number;
}

export interface Door {
  /** the room's name, or the MAC if there is none */
  readonly name: string;
  readonly mac: string;
  readonly lock: VirtualLock;
  readonly online: boolean;
  /** state of the connection in words */
  readonly connection: string;
  /**
   * Factory reset: the lock loses its memory, its pairing and its broker account, and stays offline until it is
   * connected again.
   */
  reset(): Promise<void>;
  /** Enters the connection details that the console showed. */
  connect(access: Pick<LockAccess, "url" | "user" | "password" | "pairingSecret">): Promise<void>;
}

export interface Street {
  readonly doors: readonly Door[];
  /** finds a door by MAC, with or without colons */
  door(mac: string): Door | undefined;
  /** the cards that guests and housekeepers carry */
  cards: () => readonly VirtualCard[];
  /** Waits until all locks are connected, or at most `limitMs`. Returns the number of connected locks. */
  awake(limitMs: number): Promise<number>;
  stop(): Promise<void>;
}

const TICK_MS = 1000;
const RENEW_MS = 30_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const plain = (mac: string): string => mac.replaceAll(":", "").toUpperCase();

/** Starts the locks. Each connects by itself, and reconnects whenever it loses its broker. */
export function startStreet(options: StreetOptions): Street {
  const { traffic = "off", random = Math.random } = options;
  const file = new StreetFile(options.memoryFile);
  const houses = options.locks.map((access) => new StreetHotel(access, options, file));
  const doors = new Map(houses.map((hotel) => [plain(hotel.mac), hotel]));
  const street: Street = {
    doors: houses,
    door: (mac) => doors.get(plain(mac)),
    cards: () => [],
    async awake(limitMs) {
      const online = (): number => houses.filter((hotel) => hotel.online).length;
      for (const end = Date.now() + limitMs; online() < houses.length && Date.now() < end; ) await pause(50);
      return online();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(houses.map((hotel) => hotel.stop()));
      file.write();
    },
  };
  const timer = setInterval(() => {
    const now = new Date();
    for (const { lock } of houses)
      if (random() < chanceOf(traffic, lock, now, TICK_MS)) visit(lock, street.cards(), random);
  }, TICK_MS);
  for (const hotel of houses) hotel.start();
  return street;
}

/** One door with its lock. A new connection is made when the lock gets another password. */
class StreetHotel implements Door {
  readonly name: string;
  readonly mac: string;
  readonly lock: VirtualLock;
  private client: LockClient | undefined;
  private user: string;
  private readonly hotelId: number;
  private stopped = false;
  private later: NodeJS.Timeout | undefined;
  private renewedAt = 0;
  private readonly options: StreetOptions;
  private readonly file: StreetFile;

  constructor({ name, ...access }: LockAccess & { name?: string }, options: StreetOptions, file: StreetFile) {
    this.name = name ?? access.mac;
    this.mac = access.mac;
    this.user = access.user;
    this.hotelId = access.hotelId;
    this.options = options;
    this.file = file;
    // Without a stored memory, event numbers start from the clock, so that no number is ever used twice.
    const memory = file.of(access.user)?.memory ?? freshMemory(Math.floor((Date.now() - FIRST_DAY) / 1000));
    this.lock = new VirtualLock({ memory });
    this.lock.faults = lockFaultsOf(options.faults, this.lock.faults);
    this.client = this.clientOf(access);
  }

  get online(): boolean {
    return this.client?.online ?? false;
  }

  get connection(): string {
    return this.client?.connection ?? "no account";
  }

  start(): void {
    this.client?.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.later);
    await this.client?.stop();
  }

  async reset(): Promise<void> {
    clearTimeout(this.later);
    const { client } = this;
    this.client = undefined;
    this.lock.changed = () => {};
    this.lock.forgetAll();
    this.file.remove(this.user);
    await client?.stop();
  }

  async connect(access: Pick<LockAccess, "url" | "user" | "password" | "pairingSecret">): Promise<void> {
    await this.client?.stop();
    this.user = access.user;
    this.client = this.clientOf({ ...access, hotelId: this.hotelId, mac: this.mac });
    this.client.start();
  }

  private clientOf(access: LockAccess): LockClient {
    const { lock, file, options } = this;
    file.put({ access, memory: lock.memory });
    return new LockClient({
      access,
      lock,
      keep: () => file.touch(),
      refused: () => void this.renew(),
      ...(options.resendMs !== undefined && { resendMs: options.resendMs }),
      ...(options.statusMs !== undefined && { statusMs: options.statusMs }),
      ...(options.random && { random: options.random }),
    });
  }

  private async renew(): Promise<void> {
    const { renew } = this.options;
    if (!renew || this.stopped || !this.client) return;
    const tooSoon = Date.now() - this.renewedAt < RENEW_MS;
    const access = tooSoon ? null : await renew(this.mac).catch(() => null);
    if (this.stopped || !this.client) return;
    if (!access) {
      this.later = setTimeout(() => void this.renew(), RENEW_MS);
      return;
    }
    this.renewedAt = Date.now();
    await this.client.stop();
    this.client = this.clientOf(access);
    this.client.start();
  }
}

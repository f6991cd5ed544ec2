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
  /** where passwords and memories are kept between two runs; without it, nowhere */
  memoryFile?: string;
  traffic?: Traffic;
  /** of every lock, to begin with */
  faults?: Partial<LockFaults>;
  /** asks for a new password when the old one is refused; null: not now */
  renew?: (mac: string) => Promise<LockAccess | null>;
  resendMs?: number;
  /** how often each lock says that it is alive */
  statusMs?: number;
  random?: () => number;
}

export interface Door {
  /** the room, or where there is none the MAC */
  readonly name: string;
  readonly mac: string;
  readonly lock: VirtualLock;
  readonly online: boolean;
  /** how its connection is, in words */
  readonly connection: string;
  /** A factory reset: it loses what it was told, its pairing and its account at the broker, and stays away until it is connected. */
  reset(): Promise<void>;
  /** What the console showed is typed in. */
  connect(access: Pick<LockAccess, "url" | "user" | "password" | "pairingSecret">): Promise<void>;
}

export interface Street {
  readonly doors: readonly Door[];
  /** by MAC, with colons or without */
  door(mac: string): Door | undefined;
  /** the cards that guests and housekeepers have in their pockets */
  cards: () => readonly VirtualCard[];
  /** Waits until all locks are connected, or for `limitMs` at most; how many are. */
  awake(limitMs: number): Promise<number>;
  stop(): Promise<void>;
}

const TICK_MS = 1000;
const RENEW_MS = 30_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const plain = (mac: string): string => mac.replaceAll(":", "").toUpperCase();

/** Wakes the locks of a street; each connects by itself, and again whenever it loses its broker. */
export function startStreet(options: StreetOptions): Street {
  const { traffic = "off", random = Math.random } = options;
  const file = new StreetFile(options.memoryFile);
  const houses = options.locks.map((access) => new StreetHotel(access, options, file));
  const doors = new Map(houses.map((house) => [plain(house.mac), house]));
  const street: Street = {
    doors: houses,
    door: (mac) => doors.get(plain(mac)),
    cards: () => [],
    async awake(limitMs) {
      const online = (): number => houses.filter((house) => house.online).length;
      for (const end = Date.now() + limitMs; online() < houses.length && Date.now() < end; ) await pause(50);
      return online();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(houses.map((house) => house.stop()));
      file.write();
    },
  };
  const timer = setInterval(() => {
    const now = new Date();
    for (const { lock } of houses)
      if (random() < chanceOf(traffic, lock, now, TICK_MS)) visit(lock, street.cards(), random);
  }, TICK_MS);
  for (const house of houses) house.start();
  return street;
}

/** One door of the street with its lock; the connection is made anew when the lock gets another password. */
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
    // A lock that lost its memory counts its events on from its clock: no number is ever used twice.
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

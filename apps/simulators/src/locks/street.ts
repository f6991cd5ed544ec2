import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { HOUR_MS } from "@innkey/shared/durations";
import { pause } from "../service.ts";
import { cardAtDoor, type VirtualCard } from "../virtual-card.ts";
import { judgeCard } from "./card-verdict.ts";
import { type LockAccess, LockClient } from "./lock-client.ts";
import { type LockFaults, lockFaultsOf } from "./lock-faults.ts";
import { createMemory, type LockMemory, periodFault } from "./lock-memory.ts";
import { VirtualLock } from "./virtual-lock.ts";

interface StreetEntry {
  access: LockAccess;
  memory: LockMemory;
}

const WRITE_AFTER_MS = 200;

/**
 * Stores the passwords and memories of simulated locks between runs, in a file that only its owner can read. Without a
 * path nothing is stored.
 */
export class StreetFile {
  private readonly path: string | undefined;
  private readonly entries: Map<string, StreetEntry>;
  private timer: NodeJS.Timeout | undefined;

  constructor(path?: string) {
    this.path = path;
    this.entries = path ? read(path) : new Map();
  }

  of(user: string): StreetEntry | undefined {
    return this.entries.get(user);
  }

  put(entry: StreetEntry): void {
    this.entries.set(entry.access.user, entry);
    this.scheduleWrite();
  }

  remove(user: string): void {
    this.entries.delete(user);
    this.scheduleWrite();
  }

  /** Schedules a write after a change. */
  scheduleWrite(): void {
    if (this.path) this.timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS);
  }

  /** Writes pending changes now. */
  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.path) return;
    const newPath = `${this.path}.new`;
    writeFileSync(newPath, JSON.stringify(Object.fromEntries(this.entries)), { mode: 0o600 });
    renameSync(newPath, this.path);
  }
}

/** @throws Error with a message for the person who starts the simulators, if the file is damaged */
function read(path: string): Map<string, StreetEntry> {
  try {
    return new Map(Object.entries<StreetEntry>(JSON.parse(readFileSync(path, "utf8"))));
  } catch (error) {
    if (Object(error).code === "ENOENT") return new Map();
    throw new Error(`${path} can't be read: move it away, and the locks are connected again. ${String(error)}`);
  }
}

export const TRAFFIC = ["off", "normal", "busy"] as const;
export type Traffic = (typeof TRAFFIC)[number];

/**
 * Average openings per door and hour, by hour of the hotel's time zone, with peaks for breakfast, housekeeping and
 * evening.
 */
const OPENINGS_BY_HOUR = [
  0.1, 0.05, 0.03, 0.02, 0.05, 0.2, 0.5, 1, 1.2, 1.3, 1.4, 1.2, 0.7, 0.6, 0.8, 1, 1.1, 1.2, 1.3, 1.1, 0.9, 0.8, 0.5,
  0.2,
] as const;
const TRAFFIC_FACTOR: Record<Traffic, number> = { off: 0, normal: 1, busy: 60 };
const WRONG_CODE_PROBABILITY = 0.03;
const INSIDE_PROBABILITY = 0.35;

/** Returns the probability that the door is used within `periodMs` milliseconds. */
export function visitProbability(traffic: Traffic, lock: VirtualLock, now: Date, periodMs: number): number {
  const { settings } = lock.memory;
  if (!settings) return 0;
  const hour = new Intl.DateTimeFormat("en", { timeZone: settings.timeZone, hour: "numeric", hourCycle: "h23" });
  return TRAFFIC_FACTOR[traffic] * (OPENINGS_BY_HOUR[Number(hour.format(now))] ?? 0) * (periodMs / HOUR_MS);
}

type Opening = (lock: VirtualLock) => void;

/** Simulates a visit: opening with a valid credential, leaving from inside or, now and then, entering a wrong code. */
export function visit(lock: VirtualLock, cards: readonly VirtualCard[], random: () => number): void {
  const openings = listOpenings(lock, cards);
  if (random() < WRONG_CODE_PROBABILITY) lock.enterCode(String(Math.floor(random() * 1_000_000)).padStart(6, "0"));
  else if (random() < INSIDE_PROBABILITY) lock.openInside();
  else openings[Math.floor(random() * openings.length)]?.(lock);
}

function listOpenings(lock: VirtualLock, cards: readonly VirtualCard[]): Opening[] {
  const { memory, time } = lock;
  const slots = memory.slots.filter((slot) => periodFault(slot, time) === null);
  const blankCard = (uid: string) => ({ uid, read: () => null });
  return [
    ...cards.map(cardAtDoor).filter((card) => judgeCard(memory, card, time).reason === null),
    ...slots.flatMap(({ kind, uid = "", recordNeeded }) => (kind === "card" && !recordNeeded ? [blankCard(uid)] : [])),
  ]
    .map(
      (card): Opening =>
        (door) =>
          void door.presentCard(card),
    )
    .concat(
      slots.flatMap(({ code }): Opening[] => (code ? [(door) => void door.enterCode(code)] : [])),
      slots.flatMap(({ faceId }): Opening[] => (faceId === undefined ? [] : [(door) => void door.showFace(faceId)])),
    );
}

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
const plainMac = (mac: string): string => mac.replaceAll(":", "").toUpperCase();

/** Starts the locks. Each connects to the broker, and reconnects whenever it loses the connection. */
export function startStreet(options: StreetOptions): Street {
  const { traffic = "off", random = Math.random } = options;
  const file = new StreetFile(options.memoryFile);
  const streetDoors = options.locks.map((access) => new StreetDoor(access, options, file));
  const doors = new Map(streetDoors.map((door) => [plainMac(door.mac), door]));
  const street: Street = {
    doors: streetDoors,
    door: (mac) => doors.get(plainMac(mac)),
    cards: () => [],
    async awake(limitMs) {
      const online = (): number => streetDoors.filter((door) => door.online).length;
      for (const end = Date.now() + limitMs; online() < streetDoors.length && Date.now() < end; ) await pause(50);
      return online();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(streetDoors.map((door) => door.stop()));
      file.write();
    },
  };
  const timer = setInterval(() => {
    const now = new Date();
    for (const { lock } of streetDoors)
      if (random() < visitProbability(traffic, lock, now, TICK_MS)) visit(lock, street.cards(), random);
  }, TICK_MS);
  for (const door of streetDoors) door.start();
  return street;
}

/** One door with its lock. A new connection is made when the lock gets another password. */
class StreetDoor implements Door {
  readonly name: string;
  readonly mac: string;
  readonly lock: VirtualLock;
  private client: LockClient | undefined;
  private user: string;
  private readonly hotelId: number;
  private stopped = false;
  private renewTimer: NodeJS.Timeout | undefined;
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
    const memory = file.of(access.user)?.memory ?? createMemory(Math.floor((Date.now() - FIRST_DAY) / 1000));
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
    clearTimeout(this.renewTimer);
    await this.client?.stop();
  }

  async reset(): Promise<void> {
    clearTimeout(this.renewTimer);
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
      onMemoryChange: () => file.scheduleWrite(),
      onRefused: () => void this.renew(),
      ...(options.resendMs !== undefined && { resendMs: options.resendMs }),
      ...(options.statusMs !== undefined && { statusMs: options.statusMs }),
      ...(options.random && { random: options.random }),
    });
  }

  private async renew(): Promise<void> {
    const { renew } = this.options;
    if (!renew || this.stopped || !this.client) return;
    const isTooSoon = Date.now() - this.renewedAt < RENEW_MS;
    const access = isTooSoon ? null : await renew(this.mac).catch(() => null);
    if (this.stopped || !this.client) return;
    if (!access) {
      this.renewTimer = setTimeout(() => void this.renew(), RENEW_MS);
      return;
    }
    this.renewedAt = Date.now();
    await this.client.stop();
    this.client = this.clientOf(access);
    this.client.start();
  }
}

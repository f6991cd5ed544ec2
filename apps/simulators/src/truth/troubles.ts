import type { LockAccess } from "@innkey/shared/schemas/access/locks";
import { type LockFaults, NO_LOCK_FAULTS } from "../locks/lock-faults.ts";
import { closeMemory, comesTrue, cutOff, type Door, type Hotel } from "./hotel.ts";
import type { HotelServer } from "./hotel-server.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Troubles at one door, with their relative frequency. */
export const DOOR_TROUBLES = {
  offline: 10,
  jam: 5,
  slow: 5,
  dead: 3,
  lostCommands: 4,
  lostAnswers: 4,
  doubleAnswers: 3,
  doubleCommands: 4,
  lateCommands: 4,
  reboots: 4,
  full: 2,
  fullBlocks: 1,
  wrongClock: 4,
  driftingClock: 3,
  flatBattery: 2,
  lostMemory: 4,
  factoryReset: 2,
  silence: 3,
} as const;
export type DoorTrouble = keyof typeof DOOR_TROUBLES;

/** Longer than the console's margin, after which the status of a lock's keys is unknown. */
const SILENT_HOURS = 25;
const AWAY_MS = 10_000;
/** Limit per lock, because the console treats a lock that keeps losing its memory as tampered with. */
const MAX_RESETS = 8;
const RATIO = 0.5;
/** the console leaves clocks alone that are less wrong than this */
const SET_FROM_SECONDS = 60;

const FAULTS: Partial<Record<DoorTrouble, Partial<LockFaults>>> = {
  offline: { offline: true },
  jam: { jam: true },
  dead: { dead: true },
  lostCommands: { loseCommands: RATIO },
  lostAnswers: { loseAcks: RATIO },
  doubleAnswers: { doubleAcks: RATIO },
  doubleCommands: { doubleCommands: RATIO },
  lateCommands: { lateCommands: RATIO },
  reboots: { reboots: RATIO },
  full: { full: true },
  fullBlocks: { fullBlocks: true },
  flatBattery: { flatBattery: true },
};

/** The doors in trouble, with the step at which each trouble ends. */
export class Troubles {
  private readonly until = new Map<Door, number>();
  private readonly server: HotelServer;
  private readonly hotel: Hotel;
  private readonly random: SeededRandom;

  constructor(server: HotelServer, hotel: Hotel, random: SeededRandom) {
    this.server = server;
    this.hotel = hotel;
    this.random = random;
  }

  async begin(trouble: DoorTrouble, door: Door, step: number): Promise<void> {
    const { lock } = door.door;
    this.until.set(door, step + this.random.int(5, 40));
    if (trouble === "lostMemory" || trouble === "factoryReset") {
      if (door.resets >= MAX_RESETS || door.outOfNetwork) return;
      closeMemory(door);
      if (trouble === "lostMemory") return lock.loseMemory();
      door.outOfNetwork = true;
      return door.door.reset();
    }
    if (trouble === "silence") return this.silence(door);
    const own: Partial<LockFaults> =
      trouble === "slow"
        ? { slow: this.random.int(300, 4_000) }
        : trouble === "wrongClock"
          ? { driftSeconds: this.random.pick([-86_400, -3_600, -300, -90, 90, 300, 3_600, 864_000]) ?? 90 }
          : trouble === "driftingClock"
            ? { driftPerHour: this.random.pick([-3_600, 3_600]) ?? 3_600 }
            : (FAULTS[trouble] ?? {});
    lock.faults = { ...lock.faults, ...own };
  }

  /** Takes the lock offline and lets `hours` pass for it alone. */
  async silence(door: Door, hours = SILENT_HOURS): Promise<void> {
    cutOff(door);
    const isAway = await comesTrue(AWAY_MS, async () =>
      (await this.hotel.locks()).some(({ id, online }) => id === door.lockId && !online),
    );
    if (!isAway) return;
    await this.server.letHoursPass(door.lockId, hours);
    door.silent = true;
  }

  /** Schedules the end of faults that a desk action caused. */
  noticeFaults(step: number): void {
    for (const door of this.hotel.doors) {
      const { offline, jam } = door.door.lock.faults;
      if ((offline || jam) && !this.until.has(door)) this.until.set(door, step + this.random.int(10, 40));
    }
  }

  /** Ends the troubles whose time is up. */
  async pass(step: number): Promise<void> {
    for (const [door, until] of [...this.until]) if (until <= step) await this.mend(door);
  }

  async mendAll(): Promise<void> {
    for (const door of this.hotel.doors) await this.mend(door);
  }

  /** Ends the faults of a door. A clock error that is large enough to be noticed is left for the console to correct. */
  private async mend(door: Door): Promise<void> {
    const { lock } = door.door;
    const { driftSeconds } = lock.faults;
    const left = Math.abs(driftSeconds) > SET_FROM_SECONDS ? driftSeconds : 0;
    lock.faults = { ...NO_LOCK_FAULTS, driftSeconds: left };
    if (door.outOfNetwork) {
      const { desk } = this.hotel;
      const access = await desk.change<LockAccess>("locks.connect", { lockId: door.lockId });
      await door.door.connect(access);
      door.outOfNetwork = false;
    }
    door.silent = false;
    this.until.delete(door);
  }
}

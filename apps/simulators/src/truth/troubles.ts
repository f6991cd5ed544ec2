import type { LockAccess } from "@innkey/shared/schemas/access/locks";
import { type LockFaults, NO_LOCK_FAULTS } from "../locks/lock-faults.ts";
import { cutOff, type Door, type Hotel, saveLostMemory, waitUntil } from "./hotel.ts";
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
const DISCONNECT_LIMIT_MS = 10_000;
/** Limit per lock, because the console treats a lock that keeps losing its memory as tampered with. */
const MAX_RESETS = 8;
const FAULT_PROBABILITY = 0.5;
/** The console doesn't correct clocks that are off by less than this. */
const CLOCK_TOLERANCE_SECONDS = 60;

const FAULTS: Partial<Record<DoorTrouble, Partial<LockFaults>>> = {
  offline: { offline: true },
  jam: { jam: true },
  dead: { dead: true },
  lostCommands: { loseCommands: FAULT_PROBABILITY },
  lostAnswers: { loseAcks: FAULT_PROBABILITY },
  doubleAnswers: { doubleAcks: FAULT_PROBABILITY },
  doubleCommands: { doubleCommands: FAULT_PROBABILITY },
  lateCommands: { lateCommands: FAULT_PROBABILITY },
  reboots: { reboots: FAULT_PROBABILITY },
  full: { full: true },
  fullBlocks: { fullBlocks: true },
  flatBattery: { flatBattery: true },
};

/** The doors in trouble, with the step at which each trouble ends. */
export class Troubles {
  private readonly endSteps = new Map<Door, number>();
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
    this.endSteps.set(door, step + this.random.int(5, 40));
    if (trouble === "lostMemory" || trouble === "factoryReset") {
      if (door.resets >= MAX_RESETS || door.needsConnection) return;
      saveLostMemory(door);
      if (trouble === "lostMemory") return lock.loseMemory();
      door.needsConnection = true;
      return door.door.reset();
    }
    if (trouble === "silence") return this.silence(door);
    const faults: Partial<LockFaults> =
      trouble === "slow"
        ? { slow: this.random.int(300, 4_000) }
        : trouble === "wrongClock"
          ? { driftSeconds: this.random.pick([-86_400, -3_600, -300, -90, 90, 300, 3_600, 864_000]) ?? 90 }
          : trouble === "driftingClock"
            ? { driftPerHour: this.random.pick([-3_600, 3_600]) ?? 3_600 }
            : (FAULTS[trouble] ?? {});
    lock.faults = { ...lock.faults, ...faults };
  }

  /** Takes the lock offline and lets `hours` pass for it alone. */
  async silence(door: Door, hours = SILENT_HOURS): Promise<void> {
    cutOff(door);
    const isOffline = await waitUntil(DISCONNECT_LIMIT_MS, async () =>
      (await this.hotel.locks()).some(({ id, online }) => id === door.lockId && !online),
    );
    if (!isOffline) return;
    await this.server.letHoursPass(door.lockId, hours);
    door.isSilent = true;
  }

  /** Sets the end of faults that an action of the desk caused. */
  scheduleDeskFaults(step: number): void {
    for (const door of this.hotel.doors) {
      const { offline, jam } = door.door.lock.faults;
      if ((offline || jam) && !this.endSteps.has(door)) this.endSteps.set(door, step + this.random.int(10, 40));
    }
  }

  /** Ends the troubles whose time is up. */
  async endExpired(step: number): Promise<void> {
    for (const [door, endStep] of [...this.endSteps]) if (endStep <= step) await this.repair(door);
  }

  async repairAll(): Promise<void> {
    for (const door of this.hotel.doors) await this.repair(door);
  }

  /** Ends the faults of a door. A clock error that is large enough to be noticed is left for the console to correct. */
  private async repair(door: Door): Promise<void> {
    const { lock } = door.door;
    const { driftSeconds } = lock.faults;
    const driftToKeep = Math.abs(driftSeconds) > CLOCK_TOLERANCE_SECONDS ? driftSeconds : 0;
    lock.faults = { ...NO_LOCK_FAULTS, driftSeconds: driftToKeep };
    if (door.needsConnection) {
      const { desk } = this.hotel;
      const access = await desk.change<LockAccess>("locks.connect", { lockId: door.lockId });
      await door.door.connect(access);
      door.needsConnection = false;
    }
    door.isSilent = false;
    this.endSteps.delete(door);
  }
}

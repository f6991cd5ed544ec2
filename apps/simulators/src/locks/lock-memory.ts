import { randomBytes } from "node:crypto";
import type { LockArgs, LockEvent } from "@innkey/shared/locks/protocol";
import { isWithinHours } from "./week-hours.ts";

/** A credential that the console set or that was learned at the door, stored under one slot number. */
export interface Slot extends Omit<LockArgs["set_credential"], "image" | "validFrom"> {
  /** "" if the console set it */
  name: string;
  /** null if it was learned at the door, which sets no start */
  validFrom: string | null;
  /** a key that opens once has opened */
  used?: true;
}

/** The fields that identify one room record of a card. */
export type AllowedRecord = Pick<LockArgs["allow_card"], "sequence" | "validFrom" | "validTo">;

/** Everything a lock stores in non-volatile memory, as plain JSON. It contains keys and codes. */
export interface LockMemory {
  /**
   * secret entered when the lock was connected and counter of the last accepted configure; both survive a memory loss
   */
  pairing: { secret: string; counter: number } | null;
  settings: LockArgs["configure"] | null;
  /** lowest card sequence it accepts: the configured one, or the highest that has opened it */
  floor: number;
  /** epoch of the room's card sequence that the floor belongs to */
  epoch: number;
  slots: Slot[];
  /** blocked card numbers, each with the one record that the console still allows */
  blocked: (LockArgs["block_card"] & { allowed: AllowedRecord | null })[];
  /** one-time codes: lowest counter it accepts, and the revoked counters above it */
  codes: { next: number; skipped: number[] };
  /** ids of completed commands, newest last */
  done: string[];
  /** events that the console has not acknowledged, oldest first */
  events: LockEvent[];
  /** id of this memory, which separates its event numbers from those of a lost memory */
  log: string;
  /** number of the newest event, and of the newest event sent */
  seq: number;
  sent: number;
  /** number of ignored acknowledgements of events that were never sent */
  strangeAcks: number;
  /** percent, with a fraction */
  power: number;
  batteryAlarm: boolean;
  /** how far its clock was ahead at `driftFrom`, and how much it has gained per millisecond since */
  driftMs: number;
  driftFrom: number;
  driftRate: number;
  wrongCodes: number;
  /** milliseconds of the true clock */
  lockedOutUntil: number;
  /** bolted from the inside */
  bolted: boolean;
  /** a block-out card keeps guests' keys out */
  blockedOut: boolean;
  notice: string;
}

/** Returns a new random id for a memory. */
export const newLog = (): string => randomBytes(6).toString("hex");

/** Returns the memory of a factory-new lock. Its first event gets the number after `seq`. */
export function createMemory(seq = 0): LockMemory {
  return {
    pairing: null,
    settings: null,
    floor: 0,
    epoch: 0,
    slots: [],
    blocked: [],
    codes: { next: 0, skipped: [] },
    done: [],
    events: [],
    log: newLog(),
    seq,
    sent: seq,
    strangeAcks: 0,
    power: 100,
    batteryAlarm: false,
    driftMs: 0,
    driftFrom: 0,
    driftRate: 0,
    wrongCodes: 0,
    lockedOutUntil: 0,
    bolted: false,
    blockedOut: false,
    notice: "",
  };
}

/** Returns how many milliseconds its clock is ahead at `trueTime`. */
export const driftAt = ({ driftMs, driftFrom, driftRate }: LockMemory, trueTime: number): number =>
  driftMs + Math.round((trueTime - driftFrom) * driftRate);

/** Returns why a period doesn't include `at` (milliseconds), or null if it does. */
export function periodFault(
  { validFrom, validTo }: { validFrom: string | null; validTo: string | null },
  at: number,
): "not_yet" | "expired" | null {
  if (validFrom !== null && at < Date.parse(validFrom)) return "not_yet";
  return validTo !== null && at >= Date.parse(validTo) ? "expired" : null;
}

/** Returns why a stored credential doesn't open at `at` (milliseconds), or null if it does. */
export function slotFault(
  { settings }: LockMemory,
  slot: Slot,
  at: number,
): ReturnType<typeof periodFault> | "outside_hours" | "used" {
  if (slot.used) return "used";
  const isOpen = isWithinHours(slot.hours, at, settings?.timeZone ?? "UTC");
  return periodFault(slot, at) ?? (isOpen ? null : "outside_hours");
}

/** Maximum number of unacknowledged events that a lock stores; beyond that it drops the oldest. */
const MAX_STORED_EVENTS = 500;
const LOW_POWER_PERCENT = 15;
/** percent of the battery that one motor turn costs, enough for about four thousand openings */
const TURN_POWER_PERCENT = 0.025;
const EVENT_POWER_PERCENT = 0.002;

type EventDetails = Omit<LockEvent, "seq" | "at" | "power">;

/**
 * Records an event at `at` (milliseconds of the lock's own clock). The first event at low power carries the battery
 * alarm.
 */
export function record(memory: LockMemory, at: number, details: EventDetails): void {
  const isByHand = details.style === "key" || details.style === "inside";
  memory.power = Math.max(0, memory.power - (details.success && !isByHand ? TURN_POWER_PERCENT : EVENT_POWER_PERCENT));
  const isFirstLowPower = memory.power <= LOW_POWER_PERCENT && !memory.batteryAlarm;
  if (isFirstLowPower) memory.batteryAlarm = true;
  memory.seq += 1;
  memory.events.push({
    seq: memory.seq,
    at: new Date(at).toISOString(),
    ...(isFirstLowPower && { alarm: "battery_low" }),
    ...details,
    power: Math.round(memory.power),
  });
  memory.events.splice(0, memory.events.length - MAX_STORED_EVENTS);
}

/**
 * Drops events up to `seq`, which the console has stored. An acknowledgement of an event that was never sent is only
 * counted.
 */
export function dropEvents(memory: LockMemory, seq: number): void {
  if (seq > memory.sent) memory.strangeAcks += 1;
  else memory.events = memory.events.filter((event) => event.seq > seq);
}

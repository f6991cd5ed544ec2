import { randomBytes } from "node:crypto";
import type { LockArgs, LockEvent } from "@innkey/shared/locks/protocol";

/** What a lock was given under one number, or learned at the door itself. */
export interface Slot extends Omit<LockArgs["set_credential"], "image" | "validFrom"> {
  /** "" for what the console set */
  name: string;
  /** null: learned at the door, without beginning */
  validFrom: string | null;
}

/** What tells one room record of a card from the others. */
export type AllowedRecord = Pick<LockArgs["allow_card"], "sequence" | "validFrom" | "validTo">;

/** Everything a lock remembers without power; plain JSON. It holds keys and codes. */
export interface LockMemory {
  /** what was typed in when it was connected, and the counter of the last configure it took; they outlast a lost memory */
  pairing: { secret: string; counter: number } | null;
  settings: LockArgs["configure"] | null;
  /** the lowest sequence it takes: what it was told, or the highest that has opened it */
  floor: number;
  /** the run of the door's sequence that the floor belongs to */
  epoch: number;
  slots: Slot[];
  /** numbers that it refuses, but for the one record that it was told to let in */
  blocked: (LockArgs["block_card"] & { allowed: AllowedRecord | null })[];
  /** one-time codes: the lowest counter it takes, and those above it that it was told to refuse */
  codes: { next: number; skipped: number[] };
  /** the commands it did, newest last */
  done: string[];
  /** what the console has not acknowledged, oldest first */
  events: LockEvent[];
  /** names this memory, so that its numbers are not taken for those of one that was lost */
  log: string;
  /** the number of the newest event, and of the newest that ever left the lock */
  seq: number;
  sent: number;
  /** acknowledgements of what it never sent: it took none of them */
  strangeAcks: number;
  /** percent, with a fraction */
  power: number;
  batteryAlarm: boolean;
  /** its clock minus the true one at `driftFrom`, and what it gains with every millisecond since */
  driftMs: number;
  driftFrom: number;
  driftRate: number;
  wrongCodes: number;
  /** milliseconds of the true clock */
  lockedOutUntil: number;
  /** bolted from the inside */
  bolted: boolean;
  notice: string;
}

/** A name that no memory had before. */
export const newLog = (): string => randomBytes(6).toString("hex");

/** A lock out of its box. `seq`: the number its first event comes after. */
export function freshMemory(seq = 0): LockMemory {
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
    notice: "",
  };
}

/** How far its clock is ahead at `trueTime`. */
export const driftAt = ({ driftMs, driftFrom, driftRate }: LockMemory, trueTime: number): number =>
  driftMs + Math.round((trueTime - driftFrom) * driftRate);

/** Whether a period holds at `at`, in milliseconds; if not, why. */
export function periodFault(
  { validFrom, validTo }: { validFrom: string | null; validTo: string | null },
  at: number,
): "not_yet" | "expired" | null {
  if (validFrom !== null && at < Date.parse(validFrom)) return "not_yet";
  return validTo !== null && at >= Date.parse(validTo) ? "expired" : null;
}

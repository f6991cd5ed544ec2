import type { LockEvent } from "@innkey/shared/locks/protocol";
import type { LockMemory } from "./lock-memory.ts";

/** Maximum number of unacknowledged events that a lock stores; beyond that it drops the oldest. */
export const MAX_STORED_EVENTS = 500;
const LOW_POWER = 15;
/** percent of the battery that one motor turn costs, enough for about four thousand openings */
const TURN = 0.025;
const IDLE = 0.002;

type Happening = Omit<LockEvent, "seq" | "at" | "power">;

/**
 * Records an event at `at` (milliseconds of the lock's own clock). The first event at low power carries the battery
 * alarm.
 */
export function record(memory: LockMemory, at: number, happening: Happening): void {
  const byHand = happening.style === "key" || happening.style === "inside";
  memory.power = Math.max(0, memory.power - (happening.success && !byHand ? TURN : IDLE));
  const low = memory.power <= LOW_POWER && !memory.batteryAlarm;
  if (low) memory.batteryAlarm = true;
  memory.seq += 1;
  memory.events.push({
    seq: memory.seq,
    at: new Date(at).toISOString(),
    ...(low && { alarm: "battery_low" }),
    ...happening,
    power: Math.round(memory.power),
  });
  memory.events.splice(0, memory.events.length - MAX_STORED_EVENTS);
}

/**
 * Drops events up to `seq`, which the console has stored. An acknowledgement of an event that was never sent is only
 * counted.
 */
export function forget(memory: LockMemory, seq: number): void {
  if (seq > memory.sent) memory.strangeAcks += 1;
  else memory.events = memory.events.filter((event) => event.seq > seq);
}

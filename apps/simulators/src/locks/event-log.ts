import type { LockEvent } from "@innkey/shared/locks/protocol";
import type { LockMemory } from "./lock-memory.ts";

/** How many events a lock keeps for a console that does not answer; then the oldest are gone. */
export const MAX_STORED_EVENTS = 500;
const LOW_POWER = 15;
/** percent of the battery that one turn of the motor costs: some four thousand openings */
const TURN = 0.025;
const IDLE = 0.002;

type Happening = Omit<LockEvent, "seq" | "at" | "power">;

/** Writes down what happened at `at` (milliseconds of the lock's own clock). The first one at low power says so. */
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

/** Everything up to `seq` is safe with the console. What was never sent can't be: such a word is counted, and not taken. */
export function forget(memory: LockMemory, seq: number): void {
  if (seq > memory.sent) memory.strangeAcks += 1;
  else memory.events = memory.events.filter((event) => event.seq > seq);
}

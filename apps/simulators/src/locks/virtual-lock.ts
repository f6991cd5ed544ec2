import type { UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import type {
  AckMessage,
  CommandMessage,
  LockEvent,
  ShownCredential,
  StatusMessage,
} from "@innkey/shared/locks/protocol";
import { type CardAtDoor, judgeCard } from "./card-verdict.ts";
import { forget, record } from "./event-log.ts";
import { ACTS, type Answer, passSkipped } from "./lock-commands.ts";
import { type LockFaults, NO_LOCK_FAULTS } from "./lock-faults.ts";
import { freshMemory, type LockMemory, newLog, periodFault } from "./lock-memory.ts";
import { LOOK_AHEAD, oneTimeCode } from "./one-time-code.ts";

/** What came of somebody's try. */
export interface Opening {
  opened: boolean;
  /** why it stayed shut */
  reason: UnlockReason | null;
}

export interface VirtualLockOptions {
  memory?: LockMemory;
  /** the true time, in milliseconds */
  now?: () => number;
  /** how many credentials it can hold */
  capacity?: number;
}

export const FIRMWARE = "Innkey virtual lock 1.0";
const DONE_KEPT = 500;
const WRONG_CODES = 5;
const LOCKED_OUT_MS = 60_000;
const LOW_BATTERY = 8;
/** Slots from here on are the lock's own: codes learned at the door. */
export const OWN_SLOTS = 1_000_000_000;

/** A lock without its network: what it remembers, what it is told, and what happens at its door. */
export class VirtualLock {
  readonly memory: LockMemory;
  /** called after everything that changes its memory */
  changed: () => void = () => {};
  private set: LockFaults = NO_LOCK_FAULTS;
  private readonly now: () => number;
  private readonly capacity: number;

  constructor({ memory = freshMemory(), now = Date.now, capacity = 100 }: VirtualLockOptions = {}) {
    this.memory = memory;
    // Kept by an earlier version, it has no name yet.
    this.memory.log ??= newLog();
    this.now = now;
    this.capacity = capacity;
  }

  /** milliseconds by its own clock */
  get time(): number {
    return this.now() + this.memory.driftMs;
  }

  get faults(): LockFaults {
    const driftSeconds = Math.round(this.memory.driftMs / 1000);
    return { ...this.set, driftSeconds };
  }

  set faults(faults: LockFaults) {
    if (faults.lowBattery !== this.set.lowBattery) {
      this.memory.power = faults.lowBattery ? LOW_BATTERY : 100;
      this.memory.batteryAlarm = false;
    }
    if (faults.driftSeconds !== this.faults.driftSeconds) this.memory.driftMs = faults.driftSeconds * 1000;
    this.set = faults;
    this.changed();
  }

  get status(): StatusMessage {
    const { power, codes, log } = this.memory;
    const at = new Date(this.time).toISOString();
    return { state: "online", power: Math.round(power), firmware: FIRMWARE, at, otpFloor: codes.next, log };
  }

  /** Does a command once, however often it comes; what it could not do it tries again when it is told again. */
  do({ id, type, args, expires }: CommandMessage): AckMessage {
    if (this.memory.done.includes(id)) return { id, ok: true };
    const answer = this.attempt(id, type, args, expires);
    if (answer.ok && type !== "read_back") {
      this.memory.done.push(id);
      this.memory.done.splice(0, this.memory.done.length - DONE_KEPT);
    }
    this.changed();
    return { id, ...answer };
  }

  private attempt(
    commandId: string,
    type: CommandMessage["type"],
    args: CommandMessage["args"],
    expires: string | null,
  ): Answer {
    if (this.set.jam) return { ok: false, error: "busy" };
    // A wrong clock can't judge whether the command that mends it comes too late.
    if (type !== "set_clock" && expires !== null && Date.parse(expires) <= this.time)
      return { ok: false, error: "refused" };
    const { memory, time: at } = this;
    const capacity = this.set.full ? memory.slots.length : this.capacity;
    return ACTS[type](args, { memory, commandId, at, trueTime: this.now(), capacity });
  }

  /** Everything up to `seq` is safe with the console. */
  acknowledged(seq: number): void {
    forget(this.memory, seq);
    this.changed();
  }

  presentCard(card: CardAtDoor): Opening {
    const { reason, credential, raise, pastBolt } = judgeCard(this.memory, card, this.time);
    const opening = this.note("card", reason ?? (pastBolt ? null : this.bolt), credential);
    if (opening.opened && raise !== null) this.memory.floor = Math.max(this.memory.floor, raise);
    this.changed();
    return opening;
  }

  enterCode(digits: string): Opening {
    const { memory } = this;
    if (this.now() < memory.lockedOutUntil) return this.note("passcode", "locked_out");
    const slots = memory.slots.filter(({ kind, code }) => kind === "passcode" && code === digits);
    const slot = slots.find((own) => periodFault(own, this.time) === null) ?? slots[0];
    const counter = slot ? undefined : this.counterOf(digits);
    if (!slot && counter === undefined) return this.wrongCode();
    const reason = (slot && periodFault(slot, this.time)) ?? this.bolt;
    memory.wrongCodes = 0;
    if (slot) return this.note("passcode", reason, { kind: "slot", slot: slot.slot });
    const shown: ShownCredential = { kind: "otp", counter: counter ?? 0 };
    if (!reason) {
      memory.codes.next = (counter ?? 0) + 1;
      passSkipped(memory.codes);
    }
    return this.note("passcode", reason, shown);
  }

  private counterOf(digits: string): number | undefined {
    const { settings, codes } = this.memory;
    if (!settings) return undefined;
    const ahead = Array.from({ length: LOOK_AHEAD }, (_, step) => codes.next + step);
    return ahead.find(
      (counter) => !codes.skipped.includes(counter) && oneTimeCode(settings.secret, counter) === digits,
    );
  }

  private wrongCode(): Opening {
    const { memory } = this;
    memory.wrongCodes += 1;
    if (memory.wrongCodes < WRONG_CODES) return this.note("passcode", "unknown");
    memory.wrongCodes = 0;
    memory.lockedOutUntil = this.now() + LOCKED_OUT_MS;
    return this.note("passcode", "unknown", undefined, "wrong_codes");
  }

  showFace(faceId: number): Opening {
    const slot = this.memory.slots.find((held) => held.kind === "face" && held.faceId === faceId);
    if (!slot) return this.note("face", "unknown");
    return this.note("face", periodFault(slot, this.time) ?? this.bolt, { kind: "slot", slot: slot.slot });
  }

  /** The mechanical key opens whatever the lock thinks. */
  turnKey(): Opening {
    return this.note("key", null);
  }

  /** The handle inside always opens, and draws the bolt. */
  openInside(): Opening {
    this.memory.bolted = false;
    return this.note("inside", null);
  }

  throwBolt(): Opening {
    this.memory.bolted = true;
    this.changed();
    return { opened: false, reason: "deadbolt" };
  }

  /** Somebody types in what the console showed; a secret that is new begins its counters anew. */
  pair(secret: string): void {
    if (this.memory.pairing?.secret === secret) return;
    this.memory.pairing = { secret, counter: 0 };
    this.changed();
  }

  /** Somebody forces the case. */
  tamper(): Opening {
    return this.note("unknown", "unknown", undefined, "tamper");
  }

  /** A code set with the lock's own keypad, of which the console knows nothing. */
  learn(code: string, name: string): number {
    const slot = this.memory.slots.reduce((highest, held) => Math.max(highest, held.slot), OWN_SLOTS) + 1;
    this.memory.slots.push({ slot, kind: "passcode", code, name, validFrom: null, validTo: null });
    this.changed();
    return slot;
  }

  /** A factory reset that leaves it in the network: it knows nothing any more and counts from the beginning. */
  loseMemory(): void {
    const { pairing } = this.memory;
    Object.assign(this.memory, freshMemory(), { pairing });
    this.changed();
  }

  private get bolt(): UnlockReason | null {
    return this.memory.bolted ? "deadbolt" : null;
  }

  private note(
    style: UnlockStyle,
    reason: UnlockReason | null,
    credential?: ShownCredential,
    alarm?: LockEvent["alarm"],
  ): Opening {
    const opened = reason === null;
    record(this.memory, this.time, {
      style,
      success: opened,
      ...(reason && { reason }),
      ...(credential && { credential }),
      ...(alarm && { alarm }),
    });
    this.changed();
    return { opened, reason };
  }
}

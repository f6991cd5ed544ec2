import type { UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import type {
  AckMessage,
  CommandMessage,
  LockEvent,
  PresentedCredential,
  StatusMessage,
} from "@innkey/shared/locks/protocol";
import { type CardAtDoor, judgeCard } from "./card-verdict.ts";
import { forget, record } from "./event-log.ts";
import { ACTS, type Answer, passSkipped } from "./lock-commands.ts";
import { type LockFaults, NO_LOCK_FAULTS } from "./lock-faults.ts";
import { driftAt, freshMemory, type LockMemory, newLog, periodFault } from "./lock-memory.ts";
import { LOOK_AHEAD, oneTimeCode } from "./one-time-code.ts";

/** What came of somebody's try. */
export interface Opening {
  opened: boolean;
  /** why it stayed shut; the last two are what the lock itself has no word for */
  reason: UnlockReason | "jammed" | "no_power" | null;
}

export interface VirtualLockOptions {
  memory?: LockMemory;
  /** the true time, in milliseconds */
  now?: () => number;
  /** how many credentials it can hold, and how many numbers that it refuses */
  capacity?: number;
  blockCapacity?: number;
}

export const FIRMWARE = "Innkey virtual lock 1.0";
const MAX_COMPLETED = 500;
const WRONG_CODES = 5;
const LOCKED_OUT_MS = 60_000;
const LOW_BATTERY = 8;
const HOUR_SECONDS = 3_600;
/** Slots from here on are the lock's own: codes learned at the door. */
export const OWN_SLOTS = 1_000_000_000;
const NO_POWER: Opening = { opened: false, reason: "no_power" };

/** A lock without its network: what it remembers, what it is told, and what happens at its door. */
export class VirtualLock {
  readonly memory: LockMemory;
  /** called after everything that changes its memory */
  changed: () => void = () => {};
  private set: LockFaults = NO_LOCK_FAULTS;
  private readonly now: () => number;
  private readonly capacity: number;
  private readonly blockCapacity: number;

  constructor({
    memory = freshMemory(),
    now = Date.now,
    capacity = 100,
    blockCapacity = 100,
  }: VirtualLockOptions = {}) {
    this.memory = memory;
    // Kept by an earlier version, it lacks these.
    this.memory.log ??= newLog();
    this.memory.sent ??= memory.seq;
    this.memory.strangeAcks ??= 0;
    this.memory.driftFrom ??= 0;
    this.memory.driftRate ??= 0;
    this.now = now;
    this.capacity = capacity;
    this.blockCapacity = blockCapacity;
  }

  /** milliseconds by its own clock */
  get time(): number {
    return this.now() + this.drift;
  }

  private get drift(): number {
    return driftAt(this.memory, this.now());
  }

  /** Without power nothing happens, in it or at its motor. */
  get flat(): boolean {
    return this.memory.power <= 0;
  }

  get faults(): LockFaults {
    const driftPerHour = this.memory.driftRate * HOUR_SECONDS;
    return { ...this.set, driftSeconds: Math.round(this.drift / 1000), driftPerHour };
  }

  set faults(faults: LockFaults) {
    const { memory } = this;
    if (faults.lowBattery !== this.set.lowBattery || faults.flatBattery !== this.set.flatBattery) {
      memory.power = faults.flatBattery ? 0 : faults.lowBattery ? LOW_BATTERY : 100;
      memory.batteryAlarm = false;
    }
    const before = this.faults;
    if (faults.driftSeconds !== before.driftSeconds || faults.driftPerHour !== before.driftPerHour) {
      const driftMs = faults.driftSeconds === before.driftSeconds ? this.drift : faults.driftSeconds * 1000;
      const driftRate = faults.driftPerHour / HOUR_SECONDS;
      Object.assign(memory, { driftMs, driftFrom: this.now(), driftRate });
    }
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
      this.memory.done.splice(0, this.memory.done.length - MAX_COMPLETED);
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
    const blockCapacity = this.set.fullBlocks ? memory.blocked.length : this.blockCapacity;
    return ACTS[type](args, { memory, commandId, at, trueTime: this.now(), capacity, blockCapacity });
  }

  /**
   * The power fails while it does a command: the deed may be done, but neither noted nor answered. Of its motor that can't
   * be: a lock that noted an opening only afterwards would open twice.
   */
  interrupted({ id, type, args, expires }: CommandMessage, doneAlready: boolean): void {
    if (doneAlready && type !== "unlock" && !this.memory.done.includes(id)) this.attempt(id, type, args, expires);
    this.restart();
  }

  /** It forgets what it does not write down. */
  private restart(): void {
    Object.assign(this.memory, { wrongCodes: 0, lockedOutUntil: 0 });
    this.changed();
  }

  /** Everything up to `seq` is safe with the console. */
  acknowledged(seq: number): void {
    forget(this.memory, seq);
    this.changed();
  }

  presentCard(card: CardAtDoor): Opening {
    if (this.flat) return NO_POWER;
    const { reason, credential, raise, pastBolt } = judgeCard(this.memory, card, this.time);
    const opening = this.note("card", reason ?? (pastBolt ? null : this.bolt), credential);
    if (opening.opened && raise !== null) this.memory.floor = Math.max(this.memory.floor, raise);
    this.changed();
    return opening;
  }

  enterCode(digits: string): Opening {
    const { memory } = this;
    if (this.flat) return NO_POWER;
    if (this.now() < memory.lockedOutUntil) return this.note("passcode", "locked_out");
    const slots = memory.slots.filter(({ kind, code }) => kind === "passcode" && code === digits);
    const slot = slots.find((own) => periodFault(own, this.time) === null) ?? slots[0];
    const counter = slot ? undefined : this.counterOf(digits);
    if (!slot && counter === undefined) return this.wrongCode();
    const reason = (slot && periodFault(slot, this.time)) ?? this.bolt;
    memory.wrongCodes = 0;
    if (slot) return this.note("passcode", reason, { kind: "slot", slot: slot.slot });
    const presented: PresentedCredential = { kind: "otp", counter: counter ?? 0 };
    if (!reason && !this.set.jam) {
      memory.codes.next = (counter ?? 0) + 1;
      passSkipped(memory.codes);
    }
    return this.note("passcode", reason, presented);
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
    if (this.flat) return NO_POWER;
    const slot = this.memory.slots.find((held) => held.kind === "face" && held.faceId === faceId);
    if (!slot) return this.note("face", "unknown");
    return this.note("face", periodFault(slot, this.time) ?? this.bolt, { kind: "slot", slot: slot.slot });
  }

  /** The mechanical key opens whatever the lock thinks. */
  turnKey(): Opening {
    return this.byHand("key");
  }

  /** The handle inside always opens, and draws the bolt. */
  openInside(): Opening {
    this.memory.bolted = false;
    return this.byHand("inside");
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
    if (this.flat) return NO_POWER;
    return this.note("unknown", "unknown", undefined, "tamper");
  }

  /** A code set with the lock's own keypad, of which the console knows nothing. */
  learn(code: string, name: string): number {
    const slot = this.memory.slots.reduce((highest, held) => Math.max(highest, held.slot), OWN_SLOTS) + 1;
    this.memory.slots.push({ slot, kind: "passcode", code, name, validFrom: null, validTo: null });
    this.changed();
    return slot;
  }

  /** It lost what it was told, but not its network: it knows nothing any more and counts from the beginning. */
  loseMemory(): void {
    const { pairing } = this.memory;
    this.forgetAll();
    Object.assign(this.memory, { pairing });
    this.changed();
  }

  /** A factory reset: it is as it came out of its box, in no network and paired with nothing. Batteries and clock go on. */
  forgetAll(): void {
    const { power, driftMs, driftFrom, driftRate } = this.memory;
    Object.assign(this.memory, freshMemory(), { power, driftMs, driftFrom, driftRate });
    this.changed();
  }

  /** What people do with their hands needs no motor; a lock without power just does not see it. */
  private byHand(style: "key" | "inside"): Opening {
    return this.flat ? { opened: true, reason: null } : this.note(style, null);
  }

  private get bolt(): UnlockReason | null {
    return this.memory.bolted ? "deadbolt" : null;
  }

  private note(
    style: UnlockStyle,
    reason: UnlockReason | null,
    credential?: PresentedCredential,
    alarm?: LockEvent["alarm"],
  ): Opening {
    const byHand = style === "key" || style === "inside";
    const jammed = reason === null && this.set.jam && !byHand;
    const opened = reason === null && !jammed;
    record(this.memory, this.time, {
      style,
      success: opened,
      ...(reason && { reason }),
      ...(credential && { credential }),
      ...(alarm && { alarm }),
    });
    this.changed();
    return { opened, reason: jammed ? "jammed" : reason };
  }
}

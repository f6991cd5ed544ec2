import type { UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import type {
  AckMessage,
  CommandMessage,
  LockEvent,
  PresentedCredential,
  StatusMessage,
} from "@innkey/shared/locks/protocol";
import { type CardAtDoor, judgeCard } from "./card-verdict.ts";
import { LOOK_AHEAD, oneTimeCode } from "./lock-cipher.ts";
import { type Answer, advancePastSkipped, COMMANDS } from "./lock-commands.ts";
import { type LockFaults, NO_LOCK_FAULTS } from "./lock-faults.ts";
import { createMemory, driftAt, dropEvents, type LockMemory, newLog, record, slotFault } from "./lock-memory.ts";

/** Result of one try to open the door. */
export interface Opening {
  opened: boolean;
  /** why the door stayed shut; the last two reasons are not part of the lock protocol */
  reason: UnlockReason | "jammed" | "no_power" | null;
}

export interface VirtualLockOptions {
  memory?: LockMemory;
  /** the real time, in milliseconds */
  now?: () => number;
  /** maximum number of credentials and of blocked card numbers */
  capacity?: number;
  blockCapacity?: number;
}

export const FIRMWARE = "Innkey virtual lock 1.0";
const MAX_COMPLETED_COMMANDS = 500;
const MAX_WRONG_CODES = 5;
const LOCKOUT_MS = 60_000;
const LOW_BATTERY_PERCENT = 8;
const HOUR_SECONDS = 3_600;
/** Slots from here on belong to the lock itself: codes learned at the door. */
export const OWN_SLOTS = 1_000_000_000;
const NO_POWER: Opening = { opened: false, reason: "no_power" };

/** A lock without its network: its memory, its commands and the actions at its door. */
export class VirtualLock {
  readonly memory: LockMemory;
  /** called after every change of its memory */
  changed: () => void = () => {};
  private currentFaults: LockFaults = NO_LOCK_FAULTS;
  private readonly now: () => number;
  private readonly capacity: number;
  private readonly blockCapacity: number;

  constructor({
    memory = createMemory(),
    now = Date.now,
    capacity = 100,
    blockCapacity = 100,
  }: VirtualLockOptions = {}) {
    this.memory = memory;
    // A memory stored by an earlier version lacks these fields.
    this.memory.log ??= newLog();
    this.memory.sent ??= memory.seq;
    this.memory.strangeAcks ??= 0;
    this.memory.driftFrom ??= 0;
    this.memory.driftRate ??= 0;
    this.memory.blockedOut ??= false;
    this.now = now;
    this.capacity = capacity;
    this.blockCapacity = blockCapacity;
  }

  /** the time by its own clock, in milliseconds */
  get time(): number {
    return this.now() + this.drift;
  }

  private get drift(): number {
    return driftAt(this.memory, this.now());
  }

  /** A lock with an empty battery: it neither answers nor moves its motor. */
  get flat(): boolean {
    return this.memory.power <= 0;
  }

  get faults(): LockFaults {
    const driftPerHour = this.memory.driftRate * HOUR_SECONDS;
    return { ...this.currentFaults, driftSeconds: Math.round(this.drift / 1000), driftPerHour };
  }

  set faults(faults: LockFaults) {
    const { memory } = this;
    if (faults.lowBattery !== this.currentFaults.lowBattery || faults.flatBattery !== this.currentFaults.flatBattery) {
      memory.power = faults.flatBattery ? 0 : faults.lowBattery ? LOW_BATTERY_PERCENT : 100;
      memory.batteryAlarm = false;
    }
    const before = this.faults;
    if (faults.driftSeconds !== before.driftSeconds || faults.driftPerHour !== before.driftPerHour) {
      const driftMs = faults.driftSeconds === before.driftSeconds ? this.drift : faults.driftSeconds * 1000;
      const driftRate = faults.driftPerHour / HOUR_SECONDS;
      Object.assign(memory, { driftMs, driftFrom: this.now(), driftRate });
    }
    this.currentFaults = faults;
    this.changed();
  }

  get status(): StatusMessage {
    const { power, codes, log } = this.memory;
    const at = new Date(this.time).toISOString();
    return { state: "online", power: Math.round(power), firmware: FIRMWARE, at, otpFloor: codes.next, log };
  }

  /**
   * Carries out a command once, however often it is delivered. A failed command is tried again when it is delivered
   * again.
   */
  do({ id, type, args, expires }: CommandMessage): AckMessage {
    if (this.memory.done.includes(id)) return { id, ok: true };
    const answer = this.execute(id, type, args, expires);
    if (answer.ok && type !== "read_back") {
      this.memory.done.push(id);
      this.memory.done.splice(0, this.memory.done.length - MAX_COMPLETED_COMMANDS);
    }
    this.changed();
    return { id, ...answer };
  }

  private execute(
    commandId: string,
    type: CommandMessage["type"],
    args: CommandMessage["args"],
    expires: string | null,
  ): Answer {
    if (this.currentFaults.jam) return { ok: false, error: "busy" };
    // A lock with a wrong clock can't judge whether the command that corrects it has expired.
    if (type !== "set_clock" && expires !== null && Date.parse(expires) <= this.time)
      return { ok: false, error: "refused" };
    const { memory, time: at } = this;
    const capacity = this.currentFaults.full ? memory.slots.length : this.capacity;
    const blockCapacity = this.currentFaults.fullBlocks ? memory.blocked.length : this.blockCapacity;
    return COMMANDS[type](args, { memory, commandId, at, trueTime: this.now(), capacity, blockCapacity });
  }

  /**
   * Simulates a power failure during a command: the command may have been carried out, but is neither recorded nor
   * answered. For `unlock` this can't happen: a lock that recorded an opening only afterwards would open twice.
   */
  interrupted({ id, type, args, expires }: CommandMessage, wasExecuted: boolean): void {
    if (wasExecuted && type !== "unlock" && !this.memory.done.includes(id)) this.execute(id, type, args, expires);
    this.restart();
  }

  /** Clears the volatile state. */
  private restart(): void {
    Object.assign(this.memory, { wrongCodes: 0, lockedOutUntil: 0 });
    this.changed();
  }

  /** Drops events up to `seq`, which the console has stored. */
  acknowledged(seq: number): void {
    dropEvents(this.memory, seq);
    this.changed();
  }

  presentCard(card: CardAtDoor): Opening {
    if (this.flat) return NO_POWER;
    const { memory } = this;
    const verdict = judgeCard(memory, card, this.time);
    const { credential, newFloor, onceSlot } = verdict;
    if (verdict.reason === null && verdict.switchesBlockOut) return this.switchBlockOut(credential);
    const blockOut = verdict.opensBlockedOut ? null : this.blockOut;
    const opening = this.recordAttempt(
      "card",
      verdict.reason ?? blockOut ?? (verdict.opensBolted ? null : this.bolt),
      credential,
    );
    if (opening.opened && newFloor !== null) memory.floor = Math.max(memory.floor, newFloor);
    for (const slot of memory.slots) if (opening.opened && slot.slot === onceSlot) slot.used = true;
    this.changed();
    return opening;
  }

  /** A block-out card opens nothing: it keeps guests' keys out until it is held at the lock again. */
  private switchBlockOut(credential: PresentedCredential): Opening {
    const { memory } = this;
    const reason = memory.blockedOut ? "block_out_lifted" : "block_out_set";
    memory.blockedOut = !memory.blockedOut;
    return this.recordAttempt("card", reason, credential);
  }

  enterCode(digits: string): Opening {
    const { memory } = this;
    if (this.flat) return NO_POWER;
    if (this.now() < memory.lockedOutUntil) return this.recordAttempt("passcode", "locked_out");
    const slots = memory.slots.filter(({ kind, code }) => kind === "passcode" && code === digits);
    const slot = slots.find((own) => slotFault(memory, own, this.time) === null) ?? slots[0];
    const counter = slot ? undefined : this.findCounter(digits);
    if (!slot && counter === undefined) return this.rejectCode();
    const reason = (slot && slotFault(memory, slot, this.time)) ?? this.blockOut ?? this.bolt;
    memory.wrongCodes = 0;
    if (slot) return this.recordAttempt("passcode", reason, { kind: "slot", slot: slot.slot });
    const presented: PresentedCredential = { kind: "otp", counter: counter ?? 0 };
    if (!reason && !this.currentFaults.jam) {
      memory.codes.next = (counter ?? 0) + 1;
      advancePastSkipped(memory.codes);
    }
    return this.recordAttempt("passcode", reason, presented);
  }

  private findCounter(digits: string): number | undefined {
    const { settings, codes } = this.memory;
    if (!settings) return undefined;
    const nextCounters = Array.from({ length: LOOK_AHEAD }, (_, step) => codes.next + step);
    return nextCounters.find(
      (counter) => !codes.skipped.includes(counter) && oneTimeCode(settings.secret, counter) === digits,
    );
  }

  private rejectCode(): Opening {
    const { memory } = this;
    memory.wrongCodes += 1;
    if (memory.wrongCodes < MAX_WRONG_CODES) return this.recordAttempt("passcode", "unknown");
    memory.wrongCodes = 0;
    memory.lockedOutUntil = this.now() + LOCKOUT_MS;
    return this.recordAttempt("passcode", "unknown", undefined, "wrong_codes");
  }

  showFace(faceId: number): Opening {
    if (this.flat) return NO_POWER;
    const slot = this.memory.slots.find((item) => item.kind === "face" && item.faceId === faceId);
    if (!slot) return this.recordAttempt("face", "unknown");
    return this.recordAttempt("face", slotFault(this.memory, slot, this.time) ?? this.blockOut ?? this.bolt, {
      kind: "slot",
      slot: slot.slot,
    });
  }

  /** The mechanical key opens regardless of the lock's state. */
  turnKey(): Opening {
    return this.openByHand("key");
  }

  /** The inside handle always opens the door, and also withdraws the bolt. */
  openInside(): Opening {
    this.memory.bolted = false;
    return this.openByHand("inside");
  }

  throwBolt(): Opening {
    this.memory.bolted = true;
    this.changed();
    return { opened: false, reason: "deadbolt" };
  }

  /** Enters the pairing secret that the console showed. A new secret resets the counter. */
  pair(secret: string): void {
    if (this.memory.pairing?.secret === secret) return;
    this.memory.pairing = { secret, counter: 0 };
    this.changed();
  }

  /** Simulates someone forcing the case. */
  tamper(): Opening {
    if (this.flat) return NO_POWER;
    return this.recordAttempt("unknown", "unknown", undefined, "tamper");
  }

  /** Stores a code that was set with the lock's own keypad and that the console doesn't know. */
  learn(code: string, name: string): number {
    const slot = this.memory.slots.reduce((highest, item) => Math.max(highest, item.slot), OWN_SLOTS) + 1;
    this.memory.slots.push({ slot, kind: "passcode", code, name, validFrom: null, validTo: null });
    this.changed();
    return slot;
  }

  /** Simulates a memory loss: the lock keeps only its pairing, stays on the network and restarts its event numbers. */
  loseMemory(): void {
    const { pairing } = this.memory;
    this.forgetAll();
    Object.assign(this.memory, { pairing });
    this.changed();
  }

  /** Factory reset: the lock loses its memory, network and pairing. Battery level and clock keep their values. */
  forgetAll(): void {
    const { power, driftMs, driftFrom, driftRate } = this.memory;
    Object.assign(this.memory, createMemory(), { power, driftMs, driftFrom, driftRate });
    this.changed();
  }

  /** Opening by hand needs no motor; a lock without power just doesn't record it. */
  private openByHand(style: "key" | "inside"): Opening {
    return this.flat ? { opened: true, reason: null } : this.recordAttempt(style, null);
  }

  private get blockOut(): UnlockReason | null {
    return this.memory.blockedOut ? "blocked_out" : null;
  }

  private get bolt(): UnlockReason | null {
    return this.memory.bolted ? "deadbolt" : null;
  }

  private recordAttempt(
    style: UnlockStyle,
    reason: UnlockReason | null,
    credential?: PresentedCredential,
    alarm?: LockEvent["alarm"],
  ): Opening {
    const isByHand = style === "key" || style === "inside";
    const isJammed = reason === null && this.currentFaults.jam && !isByHand;
    const opened = reason === null && !isJammed;
    record(this.memory, this.time, {
      style,
      success: opened,
      ...(reason && { reason }),
      ...(credential && { credential }),
      ...(alarm && { alarm }),
    });
    this.changed();
    return { opened, reason: isJammed ? "jammed" : reason };
  }
}

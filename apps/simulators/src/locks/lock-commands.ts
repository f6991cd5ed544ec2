import type { LockErrorCode } from "@innkey/shared/enums";
import {
  type AckMessage,
  type LockArgs,
  type LockCommandName,
  lockArgs,
  type StoredCredential,
  sealedConfigure,
} from "@innkey/shared/locks/protocol";
import { openConfigure } from "./lock-cipher.ts";
import { type AllowedRecord, type LockMemory, record, type Slot } from "./lock-memory.ts";

export type Answer = Omit<AckMessage, "id">;

/** The lock's state while it carries out a command. */
export interface CommandContext {
  memory: LockMemory;
  commandId: string;
  /** milliseconds by the lock's own clock; `trueTime` is in milliseconds of the real clock */
  at: number;
  trueTime: number;
  /** maximum number of credentials and of blocked card numbers */
  capacity: number;
  blockCapacity: number;
}

const OK: Answer = { ok: true };
const fail = (error: LockErrorCode, slot?: number): Answer => ({
  ok: false,
  error,
  ...(slot !== undefined && { slot }),
});

interface Schema<A> {
  safeParse(raw: unknown): { success: true; data: A } | { success: false };
}
type CommandHandler = (raw: unknown, context: CommandContext) => Answer;

const withArgs =
  <A>(schema: Schema<A>, handle: (args: A, context: CommandContext) => Answer): CommandHandler =>
  (raw, context) => {
    const parsed = schema.safeParse(raw);
    return parsed.success ? handle(parsed.data, context) : fail("invalid");
  };

/** The lock's implementation of each command. All are idempotent, so a repeated command changes nothing. */
export const COMMANDS: Readonly<Record<LockCommandName, CommandHandler>> = {
  configure: withArgs(sealedConfigure, (sealed, { memory, commandId }) => {
    const { pairing } = memory;
    if (!pairing || sealed.counter <= pairing.counter) return fail("refused");
    const opened = lockArgs.configure.safeParse(openConfigure(pairing.secret, commandId, sealed));
    if (!opened.success) return fail("refused");
    pairing.counter = sealed.counter;
    const settings = opened.data;
    if (memory.settings?.secret !== settings.secret) memory.codes = { next: 0, skipped: [] };
    const { otpNext = 0, otpSkipped = [] } = settings;
    memory.codes.next = Math.max(memory.codes.next, otpNext);
    memory.codes.skipped = [...new Set([...memory.codes.skipped, ...otpSkipped])];
    advancePastSkipped(memory.codes);
    memory.settings = settings;
    const isNewEpoch = settings.sequenceEpoch > memory.epoch;
    memory.floor = isNewEpoch ? settings.guestFloor : Math.max(memory.floor, settings.guestFloor);
    memory.epoch = Math.max(memory.epoch, settings.sequenceEpoch);
    return OK;
  }),

  set_credential: withArgs(lockArgs.set_credential, ({ image, ...args }, { memory, at, capacity }) => {
    const { slot, kind, code, uid, faceId } = args;
    if (args.pass !== undefined && (kind !== "card" || !args.recordNeeded || !args.card)) return fail("invalid");
    const isComplete =
      kind === "passcode" ? /^\d{6}$/.test(code ?? "") : kind === "card" ? uid : image && faceId !== undefined;
    if (!isComplete) return fail("invalid");
    const others = memory.slots.filter((other) => other.slot !== slot);
    const duplicate = others.find(
      (other) => other.kind === "passcode" && other.code === code && !hasExpired(other, at),
    );
    if (kind === "passcode" && duplicate) return fail("duplicate", duplicate.slot);
    const remaining = others.length < capacity ? others : others.filter((other) => !hasExpired(other, at));
    if (remaining.length >= capacity) return fail("full");
    const isUsed = args.once === true && memory.slots.some((before) => before.slot === slot && before.used);
    memory.slots = [...remaining, { ...args, name: "", ...(isUsed && { used: true }) }];
    return OK;
  }),

  remove_credential: withArgs(lockArgs.remove_credential, ({ slot }, { memory }) => {
    memory.slots = memory.slots.filter((other) => other.slot !== slot);
    return OK;
  }),

  block_card: withArgs(lockArgs.block_card, (blocked, context) => blockCard(context, blocked, null)),

  allow_card: withArgs(lockArgs.allow_card, ({ uid, until, ...allowed }, context) =>
    blockCard(context, { uid, until }, allowed),
  ),

  raise_floor: withArgs(lockArgs.raise_floor, ({ floor }, { memory }) => {
    memory.floor = Math.max(memory.floor, floor);
    return OK;
  }),

  skip_code: withArgs(lockArgs.skip_code, ({ counter }, { memory: { codes } }) => {
    if (counter >= codes.next && !codes.skipped.includes(counter)) codes.skipped.push(counter);
    advancePastSkipped(codes);
    return OK;
  }),

  set_clock: withArgs(lockArgs.set_clock, ({ now }, { memory, trueTime }) => {
    memory.driftMs = Date.parse(now) - trueTime;
    memory.driftFrom = trueTime;
    return OK;
  }),

  notice: withArgs(lockArgs.notice, ({ text }, { memory }) => {
    memory.notice = text;
    return OK;
  }),

  unlock: withArgs(lockArgs.unlock, (_none, { memory, at, commandId }) => {
    if (memory.bolted || memory.blockedOut) return fail("refused");
    record(memory, at, { style: "remote", success: true, credential: { kind: "command", id: commandId } });
    return OK;
  }),

  lift_block: withArgs(lockArgs.lift_block, (_none, { memory, at }) => {
    if (memory.blockedOut) record(memory, at, { style: "remote", success: false, reason: "block_out_lifted" });
    memory.blockedOut = false;
    return OK;
  }),

  read_back: withArgs(lockArgs.read_back, (_none, { memory }) => ({ ok: true, held: memory.slots.map(toStored) })),
};

/**
 * Blocks a card number. A later command for the same number replaces the allowed record, but never shortens the block.
 */
function blockCard(
  { memory, at, blockCapacity }: CommandContext,
  { uid, until }: LockArgs["block_card"],
  allowed: AllowedRecord | null,
): Answer {
  const others = memory.blocked.filter((one) => one.uid !== uid);
  const unexpired = others.filter((one) => one.until === null || at < Date.parse(one.until));
  const remaining = others.length < blockCapacity ? others : unexpired;
  if (remaining.length >= blockCapacity) return fail("full");
  const ends = [until, ...memory.blocked.filter((one) => one.uid === uid).map((one) => one.until)];
  const last = ends.some((end) => end === null)
    ? null
    : new Date(Math.max(...ends.map((end) => Date.parse(end ?? "")))).toISOString();
  memory.blocked = [...remaining, { uid, until: last, allowed }];
  return OK;
}

const hasExpired = ({ validTo }: Slot, at: number): boolean => validTo !== null && at >= Date.parse(validTo);

const toStored = ({ slot, kind, name, validFrom, validTo, hours }: Slot): StoredCredential => ({
  slot,
  kind,
  name,
  validFrom,
  validTo,
  ...(hours && { hours }),
});

/** Moves `next` past skipped counters, and drops skipped counters below it. */
export function advancePastSkipped(codes: LockMemory["codes"]): void {
  while (codes.skipped.includes(codes.next)) codes.next += 1;
  codes.skipped = codes.skipped.filter((counter) => counter > codes.next);
}

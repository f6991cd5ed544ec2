import { z } from "zod";
import { MAX_ZONES } from "../cards/record.ts";
import { CredentialKind, LockErrorCode, UnlockReason, UnlockStyle } from "../enums.ts";

/**
 * What a lock of driver `mqtt` and the console say to each other. Topics, QoS 1, below `lockd/<hotel id>/<mac>` (MAC:
 * twelve upper-case hex digits): `…/command` to the lock, `…/ack`, `…/event` and `…/status` (retained, last will
 * `offline`) from it, `…/event/ack` to it. A lock does a command once, however often it comes, and answers each time.
 * Instants are ISO 8601 in UTC, keys and card numbers upper-case hex. Documented for installers in docs/locks.md.
 */
export const lockTopics = {
  root: (hotelId: number, mac: string): string => `lockd/${hotelId}/${mac.replaceAll(":", "")}`,
  parts: ["command", "ack", "event", "event/ack", "status"],
} as const;

/** The broker user of a lock: what its topics begin with, after "lockd/". */
export const lockUser = (hotelId: number, mac: string): string => `${hotelId}/${mac.replaceAll(":", "")}`;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`));
const instant = z.iso.datetime();

/** A device's own words, cut, without what PostgreSQL and its JSON don't take: control characters, halves of surrogate pairs. */
export const deviceWords = (text: string, most: number): string =>
  [...text]
    .filter((character) => !/[\p{Cc}\p{Cs}]/u.test(character))
    .slice(0, most)
    .join("");
const words = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => deviceWords(text, most));
const slot = z.int().positive();

/** The sectors of a card that carry records: the first the guest's room, each of the others a zone. */
const sectors = z
  .array(z.int().min(1).max(15))
  .min(1)
  .max(1 + MAX_ZONES);
/**
 * Keys of one generation of a hotel's cards; a lock tries those it has, newest first. A lock is given what it needs to read
 * its own cards and nothing that makes a card for another door: never the master key that all of this is derived from.
 */
export const cardKeys = z.discriminatedUnion("cipher", [
  z.object({
    id: z.int(),
    cipher: z.literal("aes"),
    siteCode: z.int(),
    sectors,
    /** opens the sectors of all cards of the house */
    siteKey: hex(16),
    /** reads the room records of this lock */
    lockKey: hex(16),
    /** reads the records of the zones that this lock belongs to */
    zones: z.array(z.object({ zone: z.int().min(1).max(0xffffff), key: hex(16) })).max(MAX_ZONES),
  }),
  z.object({
    id: z.int(),
    cipher: z.literal("des-cbc"),
    siteCode: z.int(),
    sectors,
    sectorKey: hex(6),
    desKey: hex(8),
    desIv: hex(8),
  }),
]);

/** `slot` names a credential on the lock: set again, it is changed; the same command id twice is done once. */
export const lockArgs = {
  configure: z.object({
    lockNumber: z.int(),
    /** which block of a sector carries its record, and with which key it is read */
    block: z.int(),
    keyType: z.enum(["A", "B"]),
    keys: z.array(cardKeys).min(1),
    /** RFC 4226 secret of its one-time codes, 20 bytes */
    secret: hex(20),
    guestFloor: z.int(),
    /** higher than the one it has: its floor is `guestFloor` from now on, though it was higher */
    sequenceEpoch: z.int().nonnegative().default(0),
    /** one-time codes: it goes on from this counter, never from one below its own; absent: from its own */
    otpNext: z.int().nonnegative().optional(),
    /** counters from there on that it refuses */
    otpSkipped: z.array(z.int().nonnegative()).optional(),
    timeZone: z.string(),
  }),
  set_credential: z.object({
    slot,
    kind: CredentialKind,
    /** kind passcode: 6 digits */
    code: z.string().optional(),
    /** kind card: its number */
    uid: z.string().optional(),
    /** management and universal cards open only with what is written on them; over-the-air cards by their number alone */
    recordNeeded: z.boolean().optional(),
    /** with `recordNeeded`: SHA-256 of the card's number and the pass on it; absent: the record of all doors of DES */
    pass: hex(32).optional(),
    /** with `pass`: what the card is */
    card: z.enum(["management", "universal"]).optional(),
    /** kind face: a small JPEG, base64, put in when it is sent */
    image: z.string().optional(),
    faceId: z.int().optional(),
    validFrom: instant,
    validTo: instant.nullable(),
  }),
  remove_credential: z.object({ slot }),
  /** no room record on a card of that number opens, and not the number alone; a block that lasts longer goes on lasting */
  block_card: z.object({ uid: z.string(), until: instant.nullable() }),
  /** the same, but for this one record */
  allow_card: z.object({
    uid: z.string(),
    until: instant.nullable(),
    sequence: z.int(),
    validFrom: instant,
    validTo: instant.nullable(),
  }),
  raise_floor: z.object({ kind: z.literal("guest"), floor: z.int() }),
  skip_code: z.object({ counter: z.int() }),
  set_clock: z.object({ now: instant }),
  notice: z.object({ text: z.string() }),
  unlock: z.object({}),
  read_back: z.object({}),
} as const;
export type LockArgs = { [T in keyof typeof lockArgs]: z.infer<(typeof lockArgs)[T]> };
export type LockCommandName = keyof LockArgs;

/**
 * What `configure` travels as: the JSON of its arguments, sealed with the lock's pairing secret (AES-128-GCM; the 16 bytes
 * of the tag end the box, the additional data is `<command id>/<counter>` in ASCII). A lock takes no counter twice, and none below one it took.
 */
export const sealedConfigure = z.object({
  counter: z.int().positive(),
  nonce: hex(12),
  box: z.string().regex(/^([0-9A-F]{2}){17,}$/),
});
export type SealedConfigure = z.infer<typeof sealedConfigure>;

export const commandMessage = z.object({
  id: z.uuid(),
  type: z.enum(Object.keys(lockArgs) as [LockCommandName, ...LockCommandName[]]),
  args: z.record(z.string(), z.unknown()),
  /** the lock does it no later than this */
  expires: instant.nullable(),
  /** when it was sent; a lock without a clock of its own may take this one */
  now: instant,
});
export type CommandMessage = z.infer<typeof commandMessage>;

/** What a lock holds, answered to read_back. Slots that the console did not give have other numbers, or null. */
export const storedCredential = z.object({
  slot: z.int().nullable(),
  kind: CredentialKind,
  /** the lock's own name for it, where it is not ours */
  name: words(60).default(""),
  validFrom: instant.nullable().default(null),
  validTo: instant.nullable().default(null),
});
export type StoredCredential = z.infer<typeof storedCredential>;

export const ackMessage = z.object({
  id: z.uuid(),
  ok: z.boolean(),
  error: LockErrorCode.optional(),
  /** with error "duplicate": the slot that has it already */
  slot: z.int().nullable().optional(),
  held: z.array(storedCredential).max(1000).optional(),
});
export type AckMessage = z.infer<typeof ackMessage>;

/** What was held up to the lock. */
export const presentedCredential = z.discriminatedUnion("kind", [
  /** a card by its number; `sequence` and `card` as its record says, if it has one */
  z.object({
    kind: z.literal("card"),
    uid: z.string().max(20),
    sequence: z.int().optional(),
    card: z.enum(["guest", "management", "universal"]).optional(),
  }),
  z.object({ kind: z.literal("slot"), slot: z.int() }),
  /** a one-time code, by its counter */
  z.object({ kind: z.literal("otp"), counter: z.int().nonnegative() }),
  /** opened by a command of ours */
  z.object({ kind: z.literal("command"), id: z.uuid() }),
]);
export type PresentedCredential = z.infer<typeof presentedCredential>;

export const ALARMS = ["tamper", "wrong_codes", "battery_low"] as const;

/** Names one memory of events: random, made anew whenever a lock lost the last one and counts from the beginning again. */
const eventLog = z.string().regex(/^[0-9A-Za-z_-]{4,32}$/);

/** No memory of a lock ever counts as far: ten events a second take seven years. */
export const MAX_EVENT_SEQ = 2 ** 31 - 1;

export const lockEvent = z.object({
  /** the running number in the lock's memory, without holes while it keeps what is not acknowledged */
  seq: z.int().positive().max(MAX_EVENT_SEQ),
  at: instant,
  style: UnlockStyle,
  success: z.boolean(),
  reason: UnlockReason.optional(),
  credential: presentedCredential.optional(),
  alarm: z.enum(ALARMS).optional(),
  power: z.int().min(0).max(100).optional(),
});
export type LockEvent = z.infer<typeof lockEvent>;

/** What is told at once, and from which memory; null: the one that the lock's status names. */
export interface EventBatch {
  log: string | null;
  events: LockEvent[];
}

const manyEvents = z.array(lockEvent).min(1).max(500);
/**
 * One event, or several in order, or these with the name of their memory. It begins with the oldest one that was not
 * acknowledged, so nothing is ever skipped.
 */
export const eventMessage: z.ZodType<EventBatch> = z.union([
  lockEvent.transform((event): EventBatch => ({ log: null, events: [event] })),
  manyEvents.transform((events): EventBatch => ({ log: null, events })),
  z.object({ log: eventLog, events: manyEvents }),
]);
/** Everything up to `seq` is kept; the lock may forget it. Of the memory `log`, if the lock named it. */
export const eventAck = z.object({ seq: z.int().nonnegative(), log: z.string().optional() });
export type EventAck = z.infer<typeof eventAck>;

/** Retained; the bare word "offline" (last will) is understood too. */
export const statusMessage = z.object({
  state: z.enum(["online", "offline"]),
  power: z.int().min(0).max(100).optional(),
  firmware: words(40).optional(),
  at: instant.optional(),
  /** the lowest one-time counter it still takes */
  otpFloor: z.int().nonnegative().optional(),
  /** the memory that its events come from */
  log: eventLog.optional(),
});
export type StatusMessage = z.infer<typeof statusMessage>;

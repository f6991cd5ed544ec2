import { z } from "zod";
import { MAX_ZONES } from "../cards/record.ts";
import { CardKind, CredentialKind, LockErrorCode, UnlockReason, UnlockStyle } from "../enums.ts";
import { weekHours } from "./week-hours.ts";

/**
 * Messages between the console and locks of driver `mqtt`. Topics, QoS 1, below `lockd/<hotel id>/<mac>` (MAC: twelve
 * upper-case hex digits): `…/command` to the lock; `…/ack`, `…/event` and `…/status` (retained, last will `offline`)
 * from it; `…/event/ack` to it. A lock executes a command once, however often it arrives, and answers each time.
 * Instants are ISO 8601 in UTC, keys and card numbers upper-case hex. Documented for installers in docs/integrators/locks.md.
 */
export const lockTopics = {
  root: (hotelId: number, mac: string): string => `lockd/${hotelId}/${mac.replaceAll(":", "")}`,
  parts: ["command", "ack", "event", "event/ack", "status"],
} as const;

/** Returns the broker user of a lock: the part of its topics after "lockd/". */
export const lockUser = (hotelId: number, mac: string): string => `${hotelId}/${mac.replaceAll(":", "")}`;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`));
const instant = z.iso.datetime();

/**
 * Returns a device's text, truncated, without characters that PostgreSQL and its JSON reject: control characters and
 * halves of surrogate pairs.
 */
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

/** Sectors of a card that carry records: the first for the guest's room, each of the others for a zone. */
const sectors = z
  .array(z.int().min(1).max(15))
  .min(1)
  .max(1 + MAX_ZONES);
/**
 * Keys of one generation of a hotel's cards; a lock tries its generations newest first. A lock receives only what it
 * needs to read its own cards and nothing with which cards for other doors could be made: never the master key from
 * which all keys are derived.
 */
export const cardKeys = z.discriminatedUnion("cipher", [
  z.object({
    id: z.int(),
    cipher: z.literal("aes"),
    siteCode: z.int(),
    sectors,
    /** opens the sectors of all the hotel's cards */
    siteKey: hex(16),
    /** reads the room records of this lock */
    lockKey: hex(16),
    /** keys that read the records of this lock's zones */
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

/** Cards that carry a pass: each lock that takes one has it on its list. */
const LISTED_CARD_KINDS = ["management", "universal", "emergency", "block_out", "one_shot"] as const;

/** `slot` identifies a credential on the lock: setting it again changes it. A lock executes a command id only once. */
export const lockArgs = {
  configure: z.object({
    lockNumber: z.int(),
    /** number of the block in a sector that carries the record, and the key that reads it */
    block: z.int(),
    keyType: z.enum(["A", "B"]),
    keys: z.array(cardKeys).min(1),
    /** RFC 4226 secret of its one-time codes, 20 bytes */
    secret: hex(20),
    guestFloor: z.int(),
    /**
     * if it is higher than the lock's own epoch, the lock takes `guestFloor` as its minimum even if its own was higher
     */
    sequenceEpoch: z.int().nonnegative().default(0),
    /** one-time codes: the lock continues from this counter, but never below its own; absent: from its own */
    otpNext: z.int().nonnegative().optional(),
    /** counters from `otpNext` on that the lock refuses */
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
    /**
     * staff cards and master key cards open only with the record written on them; over-the-air cards by their number
     * alone
     */
    recordNeeded: z.boolean().optional(),
    /**
     * with `recordNeeded`: SHA-256 of the card's number and the pass on it; absent: the card has the DES record of all
     * doors
     */
    pass: hex(32).optional(),
    /** with `pass`: the kind of card */
    card: z.enum(LISTED_CARD_KINDS).optional(),
    /** opens the door once; a lock keeps the used key until it is removed, and refuses it */
    once: z.literal(true).optional(),
    /** kind face: a small JPEG, base64, added when the command is sent */
    image: z.string().optional(),
    faceId: z.int().optional(),
    /** days and hours at which it opens, within its period; absent: at any time */
    hours: weekHours.min(1).optional(),
    validFrom: instant,
    validTo: instant.nullable(),
  }),
  remove_credential: z.object({ slot }),
  /** blocks cards of that number, with a room record or by number alone; an existing longer block stays in force */
  block_card: z.object({ uid: z.string(), until: instant.nullable() }),
  /** of this card number only this record opens; every other record of it is blocked */
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
  /** guests' keys open again at a door that a block-out card blocked */
  lift_block: z.object({}),
  read_back: z.object({}),
} as const;
export type LockArgs = { [T in keyof typeof lockArgs]: z.infer<(typeof lockArgs)[T]> };
export type LockCommandName = keyof LockArgs;

/**
 * Payload of `configure`: the JSON of its arguments, encrypted with the lock's pairing secret (AES-128-GCM; the 16
 * bytes of the tag end the box, the additional data is `<command id>/<counter>` in ASCII). A lock accepts no counter
 * twice, and none below one it accepted.
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
  /** the lock executes the command no later than this */
  expires: instant.nullable(),
  /** when the command was sent; a lock without a clock may use it as its time */
  now: instant,
});
export type CommandMessage = z.infer<typeof commandMessage>;

/**
 * A credential stored in a lock, as answered to read_back. Slots that the console did not assign have other numbers, or
 * null.
 */
export const storedCredential = z.object({
  slot: z.int().nullable(),
  kind: CredentialKind,
  /** the lock's own name for a credential that the console did not create */
  name: words(60).default(""),
  validFrom: instant.nullable().default(null),
  validTo: instant.nullable().default(null),
  /** days and hours of the credential; absent: at any time */
  hours: weekHours.optional().catch(undefined),
});
export type StoredCredential = z.infer<typeof storedCredential>;

export const ackMessage = z.object({
  id: z.uuid(),
  ok: z.boolean(),
  error: LockErrorCode.optional(),
  /** with error "duplicate": the slot that already has this credential */
  slot: z.int().nullable().optional(),
  held: z.array(storedCredential).max(1000).optional(),
});
export type AckMessage = z.infer<typeof ackMessage>;

/** Credential that was presented to the lock. */
export const presentedCredential = z.discriminatedUnion("kind", [
  /** a card by its number; `sequence` and `card` come from its record, if it has one */
  z.object({
    kind: z.literal("card"),
    uid: z.string().max(20),
    sequence: z.int().optional(),
    card: CardKind.optional(),
  }),
  z.object({ kind: z.literal("slot"), slot: z.int() }),
  /** a one-time code, by its counter */
  z.object({ kind: z.literal("otp"), counter: z.int().nonnegative() }),
  /** opened by a command of the console */
  z.object({ kind: z.literal("command"), id: z.uuid() }),
]);
export type PresentedCredential = z.infer<typeof presentedCredential>;

export const ALARMS = ["tamper", "wrong_codes", "battery_low"] as const;

/**
 * Identifies one event memory: random, and generated anew whenever a lock lost its memory and restarts its numbering.
 */
const eventLog = z.string().regex(/^[0-9A-Za-z_-]{4,32}$/);

/** No lock ever reaches this number: ten events a second take seven years. */
export const MAX_EVENT_SEQ = 2 ** 31 - 1;

export const lockEvent = z.object({
  /** sequence number in the lock's memory, without gaps among unacknowledged events */
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

/** Events of one message and the memory they come from; null: the memory named in the lock's status. */
export interface EventBatch {
  log: string | null;
  events: LockEvent[];
}

const manyEvents = z.array(lockEvent).min(1).max(500);
/**
 * One event, or several in order, or several with the name of their memory. A message begins with the oldest event that
 * was not acknowledged, so no event is skipped.
 */
export const eventMessage: z.ZodType<EventBatch> = z.union([
  lockEvent.transform((event): EventBatch => ({ log: null, events: [event] })),
  manyEvents.transform((events): EventBatch => ({ log: null, events })),
  z.object({ log: eventLog, events: manyEvents }),
]);
/**
 * Acknowledges that all events up to `seq` are stored, so the lock may delete them. `log` is set if the lock named it.
 */
export const eventAck = z.object({ seq: z.int().nonnegative(), log: z.string().optional() });
export type EventAck = z.infer<typeof eventAck>;

/** Retained; the plain text "offline" (last will) is accepted too. */
export const statusMessage = z.object({
  state: z.enum(["online", "offline"]),
  power: z.int().min(0).max(100).optional(),
  firmware: words(40).optional(),
  at: instant.optional(),
  /** the lowest one-time counter that the lock still accepts */
  otpFloor: z.int().nonnegative().optional(),
  /** the memory that its events come from */
  log: eventLog.optional(),
});
export type StatusMessage = z.infer<typeof statusMessage>;

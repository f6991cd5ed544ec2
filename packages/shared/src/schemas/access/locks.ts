import { z } from "zod";
import {
  CardState,
  CredentialKind,
  CredentialState,
  LockCommandState,
  LockCommandType,
  LockDriver,
  LockErrorCode,
  OpeningReason,
  StoredOpeningReason,
} from "../../enums.ts";
import { MAX_ROOMS_PER_CALL } from "../../limits.ts";
import { MAX_BATTERY_WEEKS } from "../../locks/lock-status.ts";
import { storedCredential } from "../../locks/protocol.ts";
import { KEY_MENDS, KEY_STYLES, KEY_VERDICTS, LEFT_KEY_REASONS } from "../../words.ts";
import * as f from "../fields.ts";
import { mac } from "../property/rooms.ts";

export const lockRef = z.object({ lockId: f.id });

/** Registers a lock, or changes the one with `id`. */
export const lockInput = z.object({
  id: f.id.optional(),
  mac,
  bluetoothName: f.text(60).default(""),
  driver: LockDriver.default("mqtt"),
  /** friendly name in zigbee2mqtt, lock id in TTLock; not used for mqtt */
  address: f.text(100).default(""),
  roomId: f.id.nullable().default(null),
});
export type LockInput = z.infer<typeof lockInput>;

/** Puts locks of our own protocol on the doors of rooms, which are named as on the board. */
export const assignLocksInput = z.object({
  doors: z
    .array(z.object({ roomName: f.requiredText(60), mac }))
    .min(1, f.v.required)
    .max(MAX_ROOMS_PER_CALL),
});
export type AssignLocksInput = z.infer<typeof assignLocksInput>;
export const locksAssigned = z.object({ assigned: z.int() });

/** in how many weeks its battery is probably empty; 53: in more than a year; null: not enough is known yet */
const weeksLeft = z.int().min(0).max(MAX_BATTERY_WEEKS).nullable();

export const lockRow = z.object({
  id: z.int(),
  mac: z.string(),
  bluetoothName: z.string(),
  driver: LockDriver,
  address: z.string(),
  roomId: z.int().nullable(),
  /** the common door that it is on */
  doorId: z.int().nullable(),
  /** name of the room or of the common door */
  roomName: z.string().nullable(),
  power: z.int().nullable(),
  online: z.boolean(),
  firmware: z.string(),
  lastSeenAt: z.string().nullable(),
  driftSeconds: z.int().nullable(),
  /** when the lock confirmed its keys, or was registered if it gets none from us; null: it was never set up */
  configuredAt: z.string().nullable(),
  /**
   * set after three failures in a row of a lock of our own protocol: no command is sent until the lock is seen again,
   * or someone retries by hand
   */
  breakerOpenedAt: z.string().nullable(),
  /** since when a block-out card keeps guests out; null: it doesn't */
  blockedOutAt: z.string().nullable(),
  /** null: no error */
  lastError: LockErrorCode.nullable(),
  /** number of pending commands */
  waiting: z.int(),
  weeksLeft,
});
export type LockRow = z.infer<typeof lockRow>;
export const lockRows = z.array(lockRow);

/** The battery of one lock, for a round through the hotel. */
export const batteryRow = z.object({
  lockId: z.int(),
  roomId: z.int().nullable(),
  /** name of the room or of the common door; null: on no door */
  roomName: z.string().nullable(),
  mac: z.string(),
  /** of the room; null: a common door, or none */
  floor: z.int().nullable(),
  /** names of the zones that the common door is in */
  zones: z.array(z.string()),
  power: z.int().nullable(),
  weeksLeft,
  lastSeenAt: z.string().nullable(),
});
export type BatteryRow = z.infer<typeof batteryRow>;
export const batteryRows = z.array(batteryRow);

/** Status of a key at one lock. */
export const credentialRow = z.object({
  id: z.int(),
  kind: CredentialKind,
  state: CredentialState,
  lockId: z.int(),
  roomId: z.int().nullable(),
  /** name of the room, or of the lock's common door */
  roomName: z.string().nullable(),
  lockOnline: z.boolean(),
  /** when the lock last reported; null: never */
  lockHeardAt: z.string().nullable(),
  cardId: z.int().nullable(),
  passcodeId: z.int().nullable(),
  faceId: z.int().nullable(),
  /** note of the card or face, or person of the code */
  label: z.string(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  /** since when the lock may still have other days and hours for it; null: it has these */
  hoursChangedAt: z.string().nullable(),
  /** null: no error */
  failReason: LockErrorCode.nullable(),
  /** when the pending command, if any, is tried next */
  nextTryAt: z.string().nullable(),
  tries: z.int(),
  confirmedAt: z.string().nullable(),
  usedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type CredentialRow = z.infer<typeof credentialRow>;
export const credentialRows = z.array(credentialRow);

/** A lock that had the door before, or has it since, and when they were exchanged. */
const otherLock = z.object({ lockId: z.int(), mac: z.string(), at: z.string() });

export const lockDetail = lockRow.extend({
  /** the lock in whose place it came; null: it replaced none */
  replaces: otherLock.nullable(),
  /** the lock that took its place: this one is on no door any more, and only its records are left; null: not replaced */
  replacedBy: otherLock.nullable(),
  /** number of the lock's one-time codes that were issued and not used yet */
  unusedCodes: z.int(),
  readBackAt: z.string().nullable(),
  unmanaged: z.array(storedCredential),
  credentials: credentialRows,
});
export type LockDetail = z.infer<typeof lockDetail>;

/** Connection data to enter into the lock, shown once. */
export const lockAccess = z.object({
  lockId: z.int(),
  /** address of the broker, e.g. mqtt://192.168.1.5:1883 */
  url: z.string(),
  user: z.string(),
  password: z.string(),
  /** 32 hex digits: secret that encrypts the lock's keys */
  pairingSecret: z.string(),
  topic: z.string(),
});
export type LockAccess = z.infer<typeof lockAccess>;

/** A key of a replaced lock that doesn't go over to its successor. */
const leftKey = z.object({
  /** unique over all kinds, e.g. "card:12" */
  key: z.string(),
  kind: CredentialKind,
  /** note of the card or face, or person of the code */
  label: z.string(),
  reason: z.enum(LEFT_KEY_REASONS),
});
export type LeftKey = z.infer<typeof leftKey>;

/** What goes over to the lock that takes the place of another. */
const transferredKeys = {
  /** number of door codes, faces and cards on the lock's list that work at the new lock */
  passcodes: z.int(),
  faces: z.int(),
  cards: z.int(),
  /** guests' written cards that open the door again only after they were written again */
  rewrite: z.array(
    z.object({
      cardId: z.int(),
      label: z.string(),
      /** the guest who carries the card, or after whom its stay is named; null: a card without a stay */
      stayGuestId: z.int().nullable(),
      guestName: z.string(),
    }),
  ),
  left: z.array(leftKey),
};

export const replacementInput = z.object({ lockId: f.id, driver: LockDriver.default("mqtt") });
/** What would go over to another lock, and the locks on no door that could take its place. */
export const lockReplacement = z.object({
  ...transferredKeys,
  /** since when a block-out card keeps guests out at the door, which the new lock doesn't know; null: it doesn't */
  blockedOutAt: z.string().nullable(),
  spares: z.array(z.object({ lockId: z.int(), mac: z.string(), driver: LockDriver, online: z.boolean() })),
});
export type LockReplacement = z.infer<typeof lockReplacement>;

/**
 * Replaces the lock of a door. A lock that is registered and on no door is taken as it is; for any other, the device is
 * described as in `lockInput`.
 */
export const replaceLockInput = lockInput.omit({ id: true, roomId: true }).extend({
  lockId: f.id,
  /** the former lock opens no door any more, so its keys can't either */
  isOffDoor: z.boolean().default(false),
  /** the block-out that ends with the former lock, as the caller saw it; null: the caller saw none */
  blockedOutAt: f.instant.nullable().default(null),
});
export type ReplaceLockInput = z.infer<typeof replaceLockInput>;
export const lockReplaced = z.object({
  /** the new lock */
  lockId: z.int(),
  /** what to enter into the new lock, shown once; null: it is connected already, or reached in another way */
  access: lockAccess.nullable(),
  ...transferredKeys,
});
export type LockReplaced = z.infer<typeof lockReplaced>;

export const commandRef = z.object({ commandId: f.uuid });
export const commandQueued = z.object({ commandId: z.string(), state: LockCommandState });
const openingReason = { reason: OpeningReason.optional(), note: f.text(200).optional() };
const isExplained = ({ reason, note }: { reason?: OpeningReason | undefined; note?: string | undefined }): boolean =>
  reason !== "other" || Boolean(note);
const NOTE_NEEDED = { path: ["note"], message: f.v.required };
/** The reason is needed while somebody stays in the room; `other` needs a note. */
export const openDoorInput = z.object({ roomId: f.id, ...openingReason }).refine(isExplained, NOTE_NEEDED);
/** What the console asks before it opens the door of an occupied room. */
export const openingReasonInput = z
  .object({ ...openingReason, reason: OpeningReason })
  .refine(isExplained, NOTE_NEEDED);
/** withdrawn: the lock was never asked; may_still_open: it may have been; ended: there was nothing left to cancel */
export const openingCancelled = z.object({
  outcome: z.enum(["withdrawn", "may_still_open", "ended"]),
  state: LockCommandState,
});
export const roomDisplayTextInput = z.object({
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL),
  text: f.text(200),
});
export const roomDisplayTextSent = z.object({ sent: z.int(), withoutLock: z.array(z.string()) });

export const commandRow = z.object({
  id: z.string(),
  type: LockCommandType,
  state: LockCommandState,
  subject: z.string(),
  tries: z.int(),
  error: LockErrorCode.nullable(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  nextTryAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  operatorName: z.string().nullable(),
  /** why the door of an occupied room was opened */
  openingReason: StoredOpeningReason.nullable(),
  openingNote: z.string(),
});
export type CommandRow = z.infer<typeof commandRow>;
/** Newest first; `cursor` comes from the previous page. */
export const commandsInput = z.object({
  lockId: f.id,
  cursor: z.string().max(30).optional(),
  limit: z.int().min(1).max(100).default(20),
});
export const commandsOutput = z.object({ commands: z.array(commandRow), nextCursor: z.string().nullable() });
export const retryOutput = z.object({ retried: z.int() });
export const writtenOff = z.object({ keys: z.int() });

/**
 * A code or card found in a lock that this console did not set: it is either accepted and no longer reported, or
 * removed.
 */
export const unmanagedInput = z.object({
  lockId: f.id,
  /** null: the entry has no slot and is identified by its kind and name */
  slot: z.int().nullable(),
  kind: CredentialKind.default("card"),
  name: z.string().max(60).default(""),
  act: z.enum(["adopt", "remove"]),
});

/** A revoked key that may still open. It leaves the list when the lock confirms the revocation. */
export const pendingRevocation = z.object({
  /** unique over all kinds, e.g. "card:12:3" */
  key: z.string(),
  kind: CredentialKind,
  cardId: z.int().nullable(),
  credentialId: z.int().nullable(),
  /** number of the card, or person of the code or face */
  label: z.string(),
  lockId: z.int(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  online: z.boolean(),
  /** the lock was removed from the hotel before it confirmed, so no command can reach it any more */
  lockRemoved: z.boolean(),
  lastSeenAt: z.string().nullable(),
  /** when it was revoked, and the reason: a RevokeReason */
  since: z.string(),
  reason: z.string(),
  /** until it expires by itself; null: never */
  validTo: z.string().nullable(),
  /** staff member who reported that the card was overwritten since, and when; only the lock could confirm it */
  overwrittenBy: z.string().nullable(),
  overwrittenAt: z.string().nullable(),
  /** next try of the pending revoke command; null: no command has been sent to the lock yet */
  nextTryAt: z.string().nullable(),
  error: LockErrorCode.nullable(),
});
export type PendingRevocation = z.infer<typeof pendingRevocation>;
export const pendingRevocations = z.array(pendingRevocation);
export const pendingRevocationRef = z.object({ lockId: f.id, cardId: f.id.optional(), credentialId: f.id.optional() });

/**
 * Explains why a key does not work: input is a card's number as a reader reports it, a room, or a number at the door of a
 * room or at a common door.
 */
export const explainInput = z
  .object({ number: f.text(40).optional(), roomId: f.id.optional(), doorId: f.id.optional() })
  .refine(({ number, roomId }) => Boolean(number) || roomId !== undefined, { message: f.v.required, path: ["roomId"] })
  .refine(({ roomId, doorId }) => roomId === undefined || doorId === undefined, {
    message: f.v.unknown,
    path: ["doorId"],
  });
export const keyVerdict = z.object({
  verdict: z.enum(KEY_VERDICTS),
  /** what the verdict is about, and its text names; null: the door or the stay, whatever the key */
  style: z.enum(KEY_STYLES).nullable(),
  /** values for the text of the answer: instants as ISO 8601, rooms by name */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  mend: z.enum(KEY_MENDS),
  roomId: z.int().nullable(),
  /** the common door that the verdict is about; null: a room's, or none */
  doorId: z.int().nullable(),
  /** name of the room or of the common door */
  roomName: z.string().nullable(),
  stayId: z.int().nullable(),
  stayGuestId: z.int().nullable(),
  cardId: z.int().nullable(),
  lockId: z.int().nullable(),
  /** when the lock last reported, if it can't be reached */
  offlineSince: z.string().nullable(),
});
export type KeyVerdict = z.infer<typeof keyVerdict>;
export type KeyStyle = NonNullable<KeyVerdict["style"]>;

export const cardStateOnLock = z.object({ lockId: z.int(), state: CardState });

const LINK_KINDS = ["zigbee2mqtt", "ttlock", "home_assistant"] as const;
export const deviceLinkKind = z.enum(LINK_KINDS);
/** Secrets are write-only; an empty secret leaves the stored one unchanged. */
export const deviceLinkInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("zigbee2mqtt"), baseTopic: f.requiredText(60).regex(/^[^+#\s]+$/, f.v.unknown) }),
  z.object({
    kind: z.literal("ttlock"),
    baseUrl: z.url({ protocol: /^https?$/, error: f.v.unknown }).max(200),
    clientId: f.requiredText(100),
    clientSecret: f.text(200).default(""),
    account: f.requiredText(100),
    password: f.text(200).default(""),
  }),
  z.object({ kind: z.literal("home_assistant"), prefix: f.requiredText(60).regex(/^[^+#\s]+$/, f.v.unknown) }),
]);
export type DeviceLinkInput = z.infer<typeof deviceLinkInput>;
export const deviceLinkRow = z.object({
  kind: deviceLinkKind,
  on: z.boolean(),
  /** settings that are not secret */
  settings: z.record(z.string(), z.string()),
  /** user name at the broker, while the link is enabled */
  user: z.string().nullable(),
  lastError: LockErrorCode.nullable(),
  lastSeenAt: z.string().nullable(),
  /** path to which TTLock's cloud reports records, if that is enabled */
  callbackPath: z.string().nullable(),
});
export type DeviceLinkRow = z.infer<typeof deviceLinkRow>;
export const deviceLinkRows = z.array(deviceLinkRow);
/** The built-in broker for encrypted connections; null: the installation uses its own broker, or has no such port. */
export const encryptedBroker = z
  .object({
    url: z.string(),
    /** certificate to trust, in PEM */
    authority: z.string(),
  })
  .nullable();
/** The broker's user for zigbee2mqtt or Home Assistant; the password is shown only once. */
export const deviceLinkSaved = z.object({
  kind: deviceLinkKind,
  url: z.string().nullable(),
  user: z.string().nullable(),
  password: z.string().nullable(),
  /** the operator has to create the user at their own broker, with a password of their choice */
  makeUser: z.boolean(),
});
export const deviceLinkRef = z.object({ kind: deviceLinkKind });

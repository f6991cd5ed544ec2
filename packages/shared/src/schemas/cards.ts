import { z } from "zod";
import { MAX_ZONES } from "../cards/record.ts";
import { normalUid, uidCandidates } from "../cards/uid.ts";
import { CardKind, CardState, KeyStatus } from "../enums.ts";
import * as f from "./fields.ts";
import { credentialRow } from "./locks.ts";

/** A UID as a reader gives it: hex of 4, 7 or 10 bytes, any case and separators. */
export const uid = z
  .string({ error: f.v.required })
  .max(40, f.v.uid)
  .transform((value, ctx) => {
    const uid = normalUid(value);
    if (uid) return uid;
    ctx.issues.push({ code: "custom", message: f.v.uid, input: value });
    return z.NEVER;
  });

export const block = z
  .string({ error: f.v.required })
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-F]{32}$/, f.v.hex);

/** somebody has said that a card which is another guest's now is to be written over all the same */
const overwrite = z.boolean().default(false);

export const prepareCardInput = z.object({
  stayId: f.id,
  uid,
  overwrite,
  note: f.text(100).default(""),
  /** a new issue sequence: every card written for the room before stops working at the door */
  disableOldCards: z.boolean().default(false),
  /** a part of the stay; null: all of it */
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
});

/** What the browser writes: blocks by absolute number, keys and data as upper-case hex. */
export const preparedCard = z.object({
  cardId: z.int(),
  uid: z.string(),
  keyType: z.enum(["A", "B"]),
  sectorKey: z.string(),
  /** what the sector may still be locked with: the keys of earlier generations for this card */
  formerSectorKeys: z.array(z.string()),
  /** a card that still has its delivery key gets the sector key first */
  sector: z.int(),
  dataBlock: z.int(),
  data: z.string(),
  /** what else is written: records of zones, and zeros where an earlier issue had a record; clients of one sector leave it */
  others: z.array(z.object({ sector: z.int(), dataBlock: z.int(), data: z.string() })),
  validFrom: z.string(),
  validTo: z.string().nullable(),
});
export type PreparedCard = z.infer<typeof preparedCard>;

export const confirmCardInput = z.object({ cardId: f.id, readBack: block });
export const cardRef = z.object({ cardId: f.id });
export const cardOutcome = z.object({ cardId: z.int(), state: CardState });
/** The locks were told its number: by these commands. */
export const airCardOutcome = cardOutcome.extend({ commandIds: z.array(z.string()) });

/** A guest's card for one room, written like a stay's: prepare, write, read back, confirm. */
export const prepareRoomCardInput = z
  .object({
    roomId: f.id,
    uid,
    overwrite,
    note: f.text(100).default(""),
    /** null: from now on */
    validFrom: f.instant.nullable().default(null),
    /** null: as long as the party in the room stays */
    validTo: f.instant.nullable().default(null),
    /** a new issue sequence: cards written for the room before stop working at the door */
    disableOldCards: z.boolean().default(false),
  })
  .superRefine(({ validFrom, validTo }, ctx) => {
    if (validFrom === null || validTo === null || validTo > validFrom) return;
    ctx.issues.push({ code: "custom", message: f.v.endBeforeStart, path: ["validTo"], input: null });
  });
export type PrepareRoomCardInput = z.infer<typeof prepareRoomCardInput>;

/** Of a guest's card the lock that its record is for; of others, which stand with each lock apart, none. */
export const lockContact = { lockOnline: z.boolean(), lockHeardAt: z.string().nullable() };

export const cardRow = z.object({
  id: z.int(),
  uid: z.string(),
  kind: CardKind,
  note: z.string(),
  state: CardState,
  overTheAir: z.boolean(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  /** last seen opening a door */
  usedAt: z.string().nullable(),
  /** a RevokeReason or "" */
  revokeReason: z.string(),
  ...lockContact,
  roomName: z.string().nullable(),
  /** the stay ends later than the card does: it has to be written again */
  tooShort: z.boolean(),
  operatorName: z.string().nullable(),
  createdAt: z.string(),
});
export type CardRow = z.infer<typeof cardRow>;
/** Of a stay's cards those that open by their number alone have a state at each lock. */
export const stayCardRow = cardRow.extend({ standing: KeyStatus, credentials: z.array(credentialRow) });
export type StayCardRow = z.infer<typeof stayCardRow>;
export const cardsOfStay = z.array(stayCardRow);

/** Any way of writing a card's number: hex in either byte order, or decimal. */
export const lookUpInput = z.object({
  number: f.requiredText(40).refine((value) => uidCandidates(value).length > 0, f.v.uid),
});
export const cardGuest = z.object({
  cardId: z.int(),
  manageId: z.int(),
  stayId: z.int(),
  otherInformation: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  guestName: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
});
export const cardGuests = z.array(cardGuest);

/** Management cards open chosen rooms, universal ones all; written like guests' cards: prepare, write, read back, confirm. */
export const prepareMasterInput = z
  .object({
    kind: z.enum(["management", "universal"]),
    uid,
    overwrite,
    note: f.requiredText(100),
    /** management only */
    roomIds: z.array(f.id).max(500).default([]),
    validFrom: f.instant.nullable().default(null),
    /** null: until it is taken back */
    validTo: f.instant.nullable().default(null),
  })
  .superRefine(({ kind, roomIds, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (kind === "management" && roomIds.length === 0) fail("roomIds", f.v.required);
    if (validFrom !== null && validTo !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
  });
export type PrepareMasterInput = z.infer<typeof prepareMasterInput>;

/** A card, bracelet or phone whose number alone opens the doors it is told to, for a stay or for a period. */
export const airCardInput = z
  .object({
    uid,
    note: f.text(100).default(""),
    stayId: f.id.nullable().default(null),
    roomIds: z.array(f.id).max(50).default([]),
    validFrom: f.instant.nullable().default(null),
    validTo: f.instant.nullable().default(null),
  })
  .superRefine(({ stayId, roomIds, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (stayId === null && roomIds.length === 0) fail("roomIds", f.v.required);
    if (stayId === null && validTo === null) fail("validTo", f.v.required);
    if (validFrom !== null && validTo !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
  });
export type AirCardInput = z.infer<typeof airCardInput>;

/** A card that opens by its number, in two steps: first what it is, perhaps with its period; nothing opens yet. */
export const registerCardInput = z.object({
  kind: CardKind,
  uid,
  note: f.text(100).default(""),
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
});
/** Then where and when; a period that isn't said is the one that was registered. A universal card needs no rooms. */
export const grantCardInput = z.object({
  cardId: f.id,
  roomIds: z.array(f.id).max(500).default([]),
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
  /** without an end */
  permanent: z.boolean().default(false),
});

/** The doors of a management card, anew; locks that lose it are told, those that gain it too. */
export const cardRoomsInput = z.object({ cardId: f.id, roomIds: z.array(f.id).min(1, f.v.required).max(500) });
export const revokeCardInput = z.object({ cardId: f.id, reason: z.enum(["by_hand", "lost"]).default("by_hand") });

export const cardsInput = z.object({
  cardId: f.id.optional(),
  kind: CardKind.optional(),
  state: z.enum(["live", "ended", "all"]).default("live"),
  overTheAir: z.boolean().optional(),
  /** cards for that room; universal ones are for none in particular */
  roomId: f.id.optional(),
  /** cards that lock has on its list, or whose record is for it */
  lockId: f.id.optional(),
  standing: KeyStatus.optional(),
  /** in number, note or room name */
  query: f.text(60).default(""),
  ...f.page,
});
export const masterCardRow = cardRow.extend({
  roomIds: z.array(z.int()),
  roomNames: z.array(z.string()),
  standing: KeyStatus,
  stayId: z.int().nullable(),
  manageId: z.int().nullable(),
  guestName: z.string().nullable(),
  /** over-the-air and management cards: each lock's own state */
  credentials: z.array(credentialRow),
});
export type MasterCardRow = z.infer<typeof masterCardRow>;
export const cardPage = z.object({ rows: z.array(masterCardRow), total: z.int() });

/** Generations of a hotel's card keys, newest first; keys themselves never come out. */
export const profileRow = z.object({
  id: z.int(),
  cipher: z.enum(["aes", "des-cbc"]),
  /** the first carries the room's record, each of the others a zone's */
  sectors: z.array(z.int()),
  block: z.int(),
  keyType: z.enum(["A", "B"]),
  siteCode: z.int(),
  createdAt: z.string(),
  retiredAt: z.string().nullable(),
  /** locks that confirmed it, of those that can be told */
  locksConfirmed: z.int(),
  locksTotal: z.int(),
  /** live cards written with it */
  cards: z.int(),
});
export type ProfileRow = z.infer<typeof profileRow>;
export const profileRows = z.array(profileRow);

const keyOf = (bytes: number) =>
  z
    .string({ error: f.v.required })
    .trim()
    .toUpperCase()
    .regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`), f.v.hex);
/** never sector 0 of a hotel's cards: the manufacturer's block is there */
const sector = z.int({ error: f.v.integer }).min(1, f.v.integer).max(15, f.v.integer);
const sectors = z
  .array(sector)
  .min(2, f.v.sectors)
  .max(1 + MAX_ZONES, f.v.sectors)
  .refine((list) => new Set(list).size === list.length, f.v.sectors);
const place = {
  block: z.int({ error: f.v.integer }).min(0, f.v.integer).max(2, f.v.integer),
  keyType: z.enum(["A", "B"]),
};
/** New keys: AES makes its own, DES takes those of the locks that are there. */
export const newProfileInput = z.discriminatedUnion("cipher", [
  /** the first for the room's record, each of the others for a zone's */
  z.object({ cipher: z.literal("aes"), sectors: sectors.default([1, 2, 3, 4, 5]), ...place }),
  z.object({
    cipher: z.literal("des-cbc"),
    sector,
    ...place,
    siteCode: z.int({ error: f.v.integer }).min(1, f.v.integer).max(65_535, f.v.integer),
    sectorKey: keyOf(6),
    desKey: keyOf(8),
    desIv: keyOf(8),
  }),
]);
export type NewProfileInput = z.infer<typeof newProfileInput>;
export const profileCreated = z.object({ profileId: z.int(), locks: z.int() });

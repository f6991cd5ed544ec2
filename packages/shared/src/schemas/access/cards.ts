import { z } from "zod";
import { MAX_ZONES } from "../../cards/record.ts";
import { normalUid, uidCandidates } from "../../cards/uid.ts";
import { CardKind, CardState, KeyStatus, RevokeReason, RewriteReason, SpareCardState } from "../../enums.ts";
import { MAX_DOORS_PER_KEY, MAX_ROOMS_PER_CALL } from "../../limits.ts";
import { weekHours } from "../../locks/week-hours.ts";
import { CARD_FILTERS } from "../../words.ts";
import * as f from "../fields.ts";
import { usedReader } from "./card-readers.ts";
import { credentialRow } from "./locks.ts";

/** A UID as a card reader reports it: hex of 4, 7 or 10 bytes, any case and separators. */
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

/** confirms that a card which now belongs to another guest is to be overwritten */
const overwrite = z.boolean().default(false);

export const prepareCardInput = z.object({
  stayId: f.id,
  /** the guest of the stay who gets the card; null: who carried it in this stay so far, or the only guest */
  holderId: f.id.nullable().default(null),
  uid,
  overwrite,
  note: f.text(100).default(""),
  /** uses a new issue sequence, so that the door refuses every card written for the room before */
  disableOldCards: z.boolean().default(false),
  /** a part of the stay; null: the whole stay */
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
  reader: usedReader,
});

/** What the browser writes: blocks by absolute number, keys and data as upper-case hex. */
export const preparedCard = z.object({
  cardId: z.int(),
  uid: z.string(),
  keyType: z.enum(["A", "B"]),
  sectorKey: z.string(),
  /** keys that the sector may still have: those of earlier key generations for this card */
  formerSectorKeys: z.array(z.string()),
  /** where `dataBlock` is; if it still has its delivery key, it gets the sector key first */
  sector: z.int(),
  dataBlock: z.int(),
  data: z.string(),
  /**
   * other sectors to write, each with the key that it gets: records of zones, and zeros where an earlier issue had a
   * record; clients of one sector leave it out
   */
  others: z.array(z.object({ sector: z.int(), sectorKey: z.string(), dataBlock: z.int(), data: z.string() })),
  validFrom: z.string(),
  validTo: z.string().nullable(),
});
export type PreparedCard = z.infer<typeof preparedCard>;

export const confirmCardInput = z.object({ cardId: f.id, readBack: block, reader: usedReader });
export const cardRef = z.object({ cardId: f.id });
export const cardOutcome = z.object({ cardId: z.int(), state: CardState });
/** The locks receive the card's number by these commands. */
export const airCardOutcome = cardOutcome.extend({ commandIds: z.array(z.string()) });

/** A guest's card for one room, written like a stay's card: prepare, write, read back, confirm. */
export const prepareRoomCardInput = z
  .object({
    roomId: f.id,
    uid,
    overwrite,
    note: f.text(100).default(""),
    /** null: from now on */
    validFrom: f.instant.nullable().default(null),
    /** null: until the stay in the room ends */
    validTo: f.instant.nullable().default(null),
    /** uses a new issue sequence, so that the door refuses cards written for the room before */
    disableOldCards: z.boolean().default(false),
  })
  .superRefine(({ validFrom, validTo }, ctx) => {
    if (validFrom === null || validTo === null || validTo > validFrom) return;
    ctx.issues.push({ code: "custom", message: f.v.endBeforeStart, path: ["validTo"], input: null });
  });
export type PrepareRoomCardInput = z.infer<typeof prepareRoomCardInput>;

/** Contact with the lock that a guest card's record is for; empty for other cards, whose status is per lock. */
export const lockContact = { lockOnline: z.boolean(), lockHeardAt: z.string().nullable() };

/** A common door that a written card opens, or will once its lock has confirmed. */
export const otherDoor = z.object({
  lockId: z.int(),
  name: z.string(),
  ...lockContact,
  state: z.enum(["opens", "waiting"]),
});

export const cardRow = z.object({
  id: z.int(),
  uid: z.string(),
  kind: CardKind,
  note: z.string(),
  state: CardState,
  overTheAir: z.boolean(),
  /** the guest's own identity card; only the end of its number is shown */
  idCard: z.boolean(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  /** when the card last opened a door */
  usedAt: z.string().nullable(),
  /** a RevokeReason or "" */
  revokeReason: RevokeReason.nullable(),
  ...lockContact,
  roomName: z.string().nullable(),
  /** by the zones on it; empty for other cards than a guest's written one */
  otherDoors: z.array(otherDoor),
  /** why the card has to be written again; null: it needn't */
  rewrite: RewriteReason.nullable(),
  /** the guest of the stay who carries it; null: nobody in particular */
  holder: z.object({ stayGuestId: z.int(), name: z.string() }).nullable(),
  operatorName: z.string().nullable(),
  createdAt: z.string(),
});
export type CardRow = z.infer<typeof cardRow>;
/** Only cards that open by their number alone have a status at each lock. */
export const stayCardRow = cardRow.extend({ standing: KeyStatus, credentials: z.array(credentialRow) });
export type StayCardRow = z.infer<typeof stayCardRow>;
export const cardsOfStay = z.array(stayCardRow);

/** A card's number in any notation: hex in either byte order, or decimal. */
export const lookUpInput = z.object({
  number: f.requiredText(40).refine((value) => uidCandidates(value).length > 0, f.v.uid),
  reader: usedReader,
});
export const cardGuest = z.object({
  cardId: z.int(),
  stayGuestId: z.int(),
  stayId: z.int(),
  otherInformation: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  guestName: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
});
export const cardGuests = z.array(cardGuest);

/**
 * Staff cards open chosen rooms and common doors, master key cards open all; they are written like guest cards: prepare, write, read
 * back, confirm.
 */
export const prepareMasterInput = z
  .object({
    kind: z.enum(["management", "universal", "emergency", "block_out"]),
    uid,
    overwrite,
    note: f.requiredText(100),
    /** emergency and block-out cards: every door of the hotel, also those that get a lock later */
    allDoors: z.boolean().default(false),
    /** all but master key cards */
    roomIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
    /** common doors; all but master key cards */
    doorIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
    /** room groups and zones whose doors a staff card opens, also those that join them later */
    groupIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
    zoneIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
    validFrom: f.instant.nullable().default(null),
    /** null: until it is revoked */
    validTo: f.instant.nullable().default(null),
    /** days and hours; staff cards only */
    hours: weekHours.default([]),
    reader: usedReader,
  })
  .superRefine(({ kind, allDoors, roomIds, doorIds, groupIds, zoneIds, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    const doors = roomIds.length + doorIds.length + groupIds.length + zoneIds.length;
    const opensAll = kind === "universal" || (kind !== "management" && allDoors);
    if (!opensAll && doors === 0) fail("roomIds", f.v.required);
    if (validFrom !== null && validTo !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
  });
export type PrepareMasterInput = z.infer<typeof prepareMasterInput>;

/** Longest time in minutes that a card to show a room opens it. */
export const MAX_ONE_SHOT_MINUTES = 240;

/** A card with which somebody looks at a vacant room. */
export const prepareOneShotInput = z.object({
  roomId: f.id,
  uid,
  overwrite,
  note: f.requiredText(100),
  /** opens the door one time only, within the minutes */
  once: z.boolean(),
  minutes: z.int({ error: f.v.integer }).min(5, f.v.integer).max(MAX_ONE_SHOT_MINUTES, f.v.integer).default(15),
  reader: usedReader,
});
export type PrepareOneShotInput = z.infer<typeof prepareOneShotInput>;

/** Longest time in months for which a spare card is valid. */
export const MAX_SPARE_MONTHS = 12;

/** A card for a room that lies sealed in a drawer until no card can be encoded. */
export const prepareSpareInput = z.object({
  roomId: f.id,
  uid,
  overwrite,
  months: z.int({ error: f.v.integer }).min(1, f.v.integer).max(MAX_SPARE_MONTHS, f.v.integer),
  reader: usedReader,
});
export type PrepareSpareInput = z.infer<typeof prepareSpareInput>;
export const preparedSpare = preparedCard.extend({
  /** for the envelope: room and running number, e.g. 301/2 */
  label: z.string(),
});

export const spareCardRow = z.object({
  id: z.int(),
  /** room and running number, as on the envelope */
  label: z.string(),
  state: SpareCardState,
  /** revoked or void, and its lock may not know yet */
  mayStillOpen: z.boolean(),
  validTo: z.string(),
  usedAt: z.string().nullable(),
  createdAt: z.string(),
  operatorName: z.string().nullable(),
});
export type SpareCardRow = z.infer<typeof spareCardRow>;
/** Spare cards of the rooms whose locks read cards, by room. */
export const spareCards = z.object({
  hotelName: z.string(),
  timeZone: z.string(),
  readAt: z.string(),
  rooms: z.array(
    z.object({
      roomId: z.int(),
      roomName: z.string(),
      /** it had one, and none of its cards is sealed any more: encode again */
      needsCard: z.boolean(),
      /** newest envelope first; cards that ended stay listed until the room has a newer sealed one */
      cards: z.array(spareCardRow),
    }),
  ),
});
export type SpareCards = z.infer<typeof spareCards>;

/** A card, bracelet or phone that opens doors by its number alone, for a stay or for a period. */
export const airCardInput = z
  .object({
    uid,
    note: f.text(100).default(""),
    stayId: f.id.nullable().default(null),
    roomIds: z.array(f.id).max(MAX_DOORS_PER_KEY).default([]),
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

/** The number of a guest's own identity card, read twice: some cards answer with another number each time. */
export const idCardInput = z.object({
  stayId: f.id,
  stayGuestId: f.id,
  readings: z.tuple([uid, uid]),
  reader: usedReader,
});

/**
 * First of two steps for a card that opens by its number: registers it, optionally with a period. It opens no door yet.
 */
export const registerCardInput = z.object({
  kind: z.enum(["guest", "management", "universal"]),
  uid,
  note: f.text(100).default(""),
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
});
/**
 * Second step: grants rooms and a period. The period defaults to the registered one. A master key card needs no rooms.
 */
export const grantCardInput = z.object({
  cardId: f.id,
  roomIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
  validFrom: f.instant.nullable().default(null),
  validTo: f.instant.nullable().default(null),
  /** no end of validity */
  permanent: z.boolean().default(false),
});

/** Replaces the doors of a staff, emergency or block-out card; commands go to the locks that lose it and to those that gain it. */
export const cardRoomsInput = z
  .object({
    cardId: f.id,
    roomIds: z.array(f.id).max(MAX_ROOMS_PER_CALL),
    /** common doors; without them, those of the card stay */
    doorIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).optional(),
    /** room groups and zones; without them, those of the card stay */
    groupIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).optional(),
    zoneIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).optional(),
  })
  .refine(
    ({ roomIds, doorIds = [], groupIds = [], zoneIds = [] }) =>
      roomIds.length + doorIds.length + groupIds.length + zoneIds.length > 0,
    { message: f.v.required, path: ["roomIds"] },
  );
/** Replaces the days and hours of a staff card; each of its locks gets them. */
export const cardHoursInput = z.object({ cardId: f.id, hours: weekHours });
export const revokeCardInput = z.object({ cardId: f.id, reason: z.enum(["by_hand", "lost"]).default("by_hand") });

export const cardsInput = z.object({
  cardId: f.id.optional(),
  kind: CardKind.optional(),
  /** only emergency, block-out and one-shot cards */
  special: z.boolean().default(false),
  state: z.enum(CARD_FILTERS).default("live"),
  overTheAir: z.boolean().optional(),
  /** only cards for that room; master key cards belong to no particular room */
  roomId: f.id.optional(),
  /** only cards that are stored in that lock, or whose record is for it */
  lockId: f.id.optional(),
  standing: KeyStatus.optional(),
  /** searched in number, note and room name */
  query: f.text(60).default(""),
  ...f.page,
});
export const masterCardRow = cardRow.extend({
  roomIds: z.array(z.int()),
  /** common doors that a staff card opens */
  doorIds: z.array(z.int()),
  /** room groups and zones whose doors a staff card opens */
  groupIds: z.array(z.int()),
  zoneIds: z.array(z.int()),
  /** every door of the hotel */
  allDoors: z.boolean(),
  /** it opens one time only */
  once: z.boolean(),
  /** days and hours at which a staff card opens; none: at any time */
  hours: weekHours,
  /** names of the groups and zones, then of the rooms, then of the common doors */
  roomNames: z.array(z.string()),
  standing: KeyStatus,
  stayId: z.int().nullable(),
  stayGuestId: z.int().nullable(),
  guestName: z.string().nullable(),
  /** over-the-air and staff cards: status at each lock */
  credentials: z.array(credentialRow),
});
export type MasterCardRow = z.infer<typeof masterCardRow>;
export const cardPage = z.object({ rows: z.array(masterCardRow), total: z.int() });

/** Generations of a hotel's card keys, newest first; the keys themselves are never returned. */
export const profileRow = z.object({
  id: z.int(),
  cipher: z.enum(["aes", "des-cbc"]),
  /** the first sector carries the room's record, each of the others a zone's */
  sectors: z.array(z.int()),
  block: z.int(),
  keyType: z.enum(["A", "B"]),
  siteCode: z.int(),
  createdAt: z.string(),
  retiredAt: z.string().nullable(),
  /** number of locks that confirmed it, out of `locksTotal`, those that commands can reach */
  locksConfirmed: z.int(),
  locksTotal: z.int(),
  /** number of live cards written with it */
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
/** Sector 0 is excluded because it has the manufacturer's block. */
const sector = z.int({ error: f.v.integer }).min(1, f.v.integer).max(15, f.v.integer);
const sectors = z
  .array(sector)
  .min(2, f.v.sectors)
  .max(1 + MAX_ZONES, f.v.sectors)
  .refine((list) => new Set(list).size === list.length, f.v.sectors);
const sectorPlace = {
  block: z.int({ error: f.v.integer }).min(0, f.v.integer).max(2, f.v.integer),
  keyType: z.enum(["A", "B"]),
};
/** New keys: AES generates its own, DES needs the keys of the existing locks. */
export const newProfileInput = z.discriminatedUnion("cipher", [
  /** the first sector is for the room's record, each of the others for a zone's */
  z.object({ cipher: z.literal("aes"), sectors: sectors.default([1, 2, 3, 4, 5]), ...sectorPlace }),
  z.object({
    cipher: z.literal("des-cbc"),
    sector,
    ...sectorPlace,
    siteCode: z.int({ error: f.v.integer }).min(1, f.v.integer).max(65_535, f.v.integer),
    sectorKey: keyOf(6),
    desKey: keyOf(8),
    desIv: keyOf(8),
  }),
]);
export type NewProfileInput = z.infer<typeof newProfileInput>;
export const profileCreated = z.object({ profileId: z.int(), locks: z.int() });

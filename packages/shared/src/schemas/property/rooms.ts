import { z } from "zod";
import { LineKind, LockDriver, RoomCondition, RoomStatus, StayUnit } from "../../enums.ts";
import { MAX_PRICE_DATES, MAX_ROOMS_PER_CALL } from "../../limits.ts";
import * as f from "../fields.ts";

export const groupInput = z.object({
  id: f.id.optional(),
  name: f.requiredText(60),
  sort: z.int({ error: f.v.integer }).min(0, f.v.integer).max(99_999, f.v.integer),
});
export const groupOutput = z.object({ id: z.int(), name: z.string(), sort: z.int(), roomCount: z.int() });

export type GroupInput = z.infer<typeof groupInput>;
export type GroupOutput = z.infer<typeof groupOutput>;
export const groupRef = z.object({ id: f.id });

const MAC = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;
/** "aabbccddeeff", "AA-BB-…" and "AA:BB:…" are the same address. */
export const mac = z
  .string()
  .transform((value) =>
    value
      .replace(/[^0-9a-f]/gi, "")
      .toUpperCase()
      .replace(/(..)(?=.)/g, "$1:"),
  )
  .pipe(z.string().regex(MAC, f.v.mac));

export const roomInput = z.object({
  id: f.id.optional(),
  name: f.requiredText(60),
  groupId: f.id.nullable(),
  remarkName: f.text(60).default(""),
  description: f.text(1000).default(""),
  bulletin: f.text(200).default(""),
  notice: f.text(500).default(""),
  floor: z.int({ error: f.v.integer }).min(-9, f.v.integer).max(200, f.v.integer).default(0),
  sort: z.int({ error: f.v.integer }).min(0, f.v.integer).max(99_999, f.v.integer).default(0),
  pictureFileId: f.uuid.nullable().default(null),
  lock: z
    .object({ mac, bluetoothName: f.text(60).default("") })
    .nullable()
    .default(null),
});
export type RoomInput = z.infer<typeof roomInput>;

/** Changes some of a room's data; fields that are left out stay unchanged. */
export const patchRoomInput = z.object({
  roomId: f.id,
  name: f.requiredText(60).optional(),
  remarkName: f.text(60).optional(),
  description: f.text(1000).optional(),
  bulletin: f.text(200).optional(),
  notice: f.text(500).optional(),
  /** null removes the picture */
  pictureFileId: f.uuid.nullable().optional(),
  mac: mac.optional(),
  bluetoothName: f.text(60).optional(),
});
export type PatchRoomInput = z.infer<typeof patchRoomInput>;
/** With an upload key instead of the id of a stored picture. */
export const patchRoomWithUploadInput = patchRoomInput.extend({ pictureUploadKey: f.text(1000).optional() });
export type PatchRoomWithUploadInput = z.infer<typeof patchRoomWithUploadInput>;

export type AssignGroupInput = z.infer<typeof assignGroupInput>;
export const roomRef = z.object({ roomId: f.id });
export const assignGroupInput = z.object({
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL),
  groupId: f.id.nullable(),
});
export const roomsUpdated = z.object({ updated: z.int() });

/** Sets the status by hand: clean, dirty, or out of order until an instant (null: until further notice). */
export const setStatusInput = z.object({
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL),
  status: z.enum(["vacant", "dirty", "maintenance"]),
  until: f.instant.nullable().default(null),
  note: f.text(200).default(""),
});
export type SetStatusInput = z.infer<typeof setStatusInput>;
/** Each room succeeds or fails separately; `code` is an error code of the domain. */
const statusRefusal = z.enum(["room_in_use", "room_taken", "state_conflict", "undo_over"]);
export type StatusRefusal = z.infer<typeof statusRefusal>;

/** The part of a room's status that people set. */
const setStatusPart = {
  condition: RoomCondition,
  /** that blocks the room now; a null end means until further notice */
  maintenance: z.object({ endsAt: f.instant.nullable(), note: f.text(200) }).nullable(),
};
export const setStatusOutput = z.object({
  updated: z.array(z.int()),
  failed: z.array(z.object({ roomId: z.int(), roomName: z.string(), code: statusRefusal })),
  /** rooms that were different before, and how */
  changed: z.array(z.object({ roomId: z.int(), roomName: z.string(), ...setStatusPart })),
});
export type SetStatusOutput = z.infer<typeof setStatusOutput>;

/** Undoes a change to `status`: rooms that still have it are again as they were before. */
export const restoreStatusInput = z.object({
  status: setStatusInput.shape.status,
  rooms: z
    .array(z.object({ roomId: f.id, ...setStatusPart }))
    .min(1, f.v.required)
    .max(MAX_ROOMS_PER_CALL),
});
export type RestoreStatusInput = z.infer<typeof restoreStatusInput>;

export const pricesInput = z.object({
  depositMinor: f.amountMinor,
  usualMinor: f.priceMinor,
  weekendMinor: f.priceMinor,
  renewalMinor: f.priceMinor.nullable().default(null),
  hourMinor: f.priceMinor.nullable().default(null),
  monthMinor: f.priceMinor.nullable().default(null),
  yearMinor: f.priceMinor.nullable().default(null),
  dates: z
    .array(z.object({ date: f.localDateField, priceMinor: f.priceMinor }))
    .max(MAX_PRICE_DATES)
    .default([])
    .superRefine((dates, ctx) => {
      const names = new Set<string>();
      dates.forEach(({ date }, index) => {
        if (names.has(date)) ctx.addIssue({ code: "custom", message: f.v.duplicateDate, path: [index, "date"] });
        names.add(date);
      });
    }),
});
export const setPricesInput = z.object({
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL),
  prices: pricesInput,
});
export type SetPricesInput = z.infer<typeof setPricesInput>;
export type PricesInput = z.infer<typeof pricesInput>;

export const quoteLine = z.object({
  kind: LineKind,
  date: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  quantity: z.int(),
  unitMinor: z.int(),
  amountMinor: z.int(),
});

export const roomLock = z.object({
  id: z.int(),
  mac: z.string(),
  bluetoothName: z.string(),
  driver: LockDriver,
  power: z.int().nullable(),
  online: z.boolean(),
  /** the lock has its keys; before that, no report is expected */
  setUp: z.boolean(),
  /** since when a block-out card keeps guests out; null: it doesn't */
  blockedOutAt: z.string().nullable(),
  firmware: z.string(),
  lastSeenAt: z.string().nullable(),
});

/** The stay that is in a room now, or arrives next. */
export const roomStay = z.object({
  stayId: z.int(),
  /** the primary guest's stay-guest id */
  stayGuestId: z.int(),
  guestName: z.string(),
  guestCount: z.int(),
  startsAt: z.string(),
  endsAt: z.string(),
  unit: StayUnit,
  breakfast: z.boolean(),
});

/** One room on the board. `current` is checked in, `next` is reserved for today or later. */
export const boardRoom = z.object({
  id: z.int(),
  name: z.string(),
  remarkName: z.string(),
  groupId: z.int().nullable(),
  floor: z.int(),
  sort: z.int(),
  status: RoomStatus,
  condition: RoomCondition,
  pictureUrl: z.string().nullable(),
  usualMinor: z.int().nullable(),
  lock: z
    .object({
      id: z.int(),
      power: z.int().nullable(),
      online: z.boolean(),
      setUp: z.boolean(),
      /** since when a block-out card keeps guests out; null: it doesn't */
      blockedOutAt: z.string().nullable(),
    })
    .nullable(),
  current: roomStay.nullable(),
  next: roomStay.nullable(),
  maintenance: z.object({ endsAt: z.string().nullable(), note: z.string() }).nullable(),
  /**
   * number of cards of the party in the room that must be written again before they open the door for the whole stay
   */
  cardsToRewrite: z.int(),
});
export type BoardRoom = z.infer<typeof boardRoom>;

/**
 * GET /api/board. `version` is the core of the ETag; `changesAt` is the next time at which a status changes without a
 * write.
 */
export const board = z.object({
  version: z.string(),
  changesAt: z.string().nullable(),
  groups: z.array(groupOutput.omit({ roomCount: true })),
  rooms: z.array(boardRoom),
});
export type Board = z.infer<typeof board>;

/**
 * What changed since the board with version `since`: the rooms to replace in it. `etag` is the ETag of the board that
 * results. GET /api/board?since=<ETag> returns this, or the whole board if only that says what changed; the event
 * stream sends it with each change.
 */
export const boardDifference = board
  .omit({ groups: true })
  .extend({ since: z.string(), etag: z.string(), changesAt: z.string() });
export type BoardDifference = z.infer<typeof boardDifference>;

/**
 * Order of the room list. "order" and "reverse" use the rooms' own sort number; "default" sorts by group first, as the
 * board does.
 */
export const RoomSort = z.enum(["default", "az", "za", "order", "reverse"]);
export type RoomSort = z.infer<typeof RoomSort>;
export const roomPageInput = z.object({
  /** searched in the room's name and remark name, and in the name of the current or next guest */
  keyword: f.text(60).default(""),
  status: RoomStatus.optional(),
  groupId: f.id.optional(),
  sort: RoomSort.default("default"),
  ...f.page,
});
export type RoomPageInput = z.infer<typeof roomPageInput>;
export const roomRow = z.object({
  id: z.int(),
  name: z.string(),
  remarkName: z.string(),
  groupId: z.int().nullable(),
  groupName: z.string().nullable(),
  status: RoomStatus,
  pictureUrl: z.string().nullable(),
  usualMinor: z.int().nullable(),
  lock: z
    .object({
      id: z.int(),
      mac: z.string(),
      bluetoothName: z.string(),
      power: z.int().nullable(),
      online: z.boolean(),
    })
    .nullable(),
  /** stay that is in the room, or arrives there today */
  stay: roomStay.pick({ stayId: true, stayGuestId: true, guestName: true, startsAt: true, endsAt: true }).nullable(),
  /** the stay in the room is past its planned departure */
  expired: z.boolean(),
});
export type RoomRow = z.infer<typeof roomRow>;
export const roomPage = z.object({
  rows: z.array(roomRow),
  total: z.int(),
  /** numbers of the rooms that match all filters except status */
  counts: z.object({
    vacant: z.int(),
    reserved: z.int(),
    checked_in: z.int(),
    dirty: z.int(),
    maintenance: z.int(),
  }),
});
export type RoomPage = z.infer<typeof roomPage>;

export const roomDetail = boardRoom.extend({
  description: z.string(),
  bulletin: z.string(),
  notice: z.string(),
  groupName: z.string().nullable(),
  pictureFileId: z.string().nullable(),
  lock: roomLock.nullable(),
  prices: pricesInput.nullable(),
});
export type RoomDetail = z.infer<typeof roomDetail>;

/** A stored picture: answer of POST /api/files. */
export const fileStored = z.object({ id: z.string(), url: z.string(), width: z.int(), height: z.int() });
export type FileStored = z.infer<typeof fileStored>;

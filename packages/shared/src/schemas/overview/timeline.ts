import { z } from "zod";
import { CredentialKind, LockDriver, PaymentChannel, RoomStatus, StayState, StayUnit } from "../../enums.ts";
import * as f from "../fields.ts";
import { quoteLine } from "../property/rooms.ts";
import { checkPeriod } from "../stays/stays.ts";

export const TIMELINE_DAYS = 62;

export const timelineInput = z.object({
  /** hotel-local date; today at the hotel if absent */
  from: f.localDateField.optional(),
  /** days to show before `from` */
  before: z.int({ error: f.v.integer }).min(0, f.v.integer).max(TIMELINE_DAYS, f.v.integer).optional(),
  days: z.int({ error: f.v.integer }).min(1, f.v.integer).max(TIMELINE_DAYS, f.v.integer),
});

/** One room of one party, or a maintenance period, as far as it is known. */
export const timelineBar = z.object({
  occupancyId: z.int(),
  roomId: z.int(),
  kind: z.enum(["stay", "maintenance"]),
  /** held and in_house can still change, ended can't */
  state: z.enum(["held", "in_house", "ended"]),
  startsAt: z.string(),
  /** null: until further notice (maintenance) */
  endsAt: z.string().nullable(),
  note: z.string(),
  stay: z
    .object({
      stayId: z.int(),
      stayGuestId: z.int(),
      state: StayState,
      unit: StayUnit,
      guestName: z.string(),
      guestCount: z.int(),
      /** period of the whole stay: a room change gives it several bars */
      startsAt: z.string(),
      endsAt: z.string(),
      breakfast: z.boolean(),
      expired: z.boolean(),
      owed: z.boolean(),
    })
    .nullable(),
});
export type TimelineBar = z.infer<typeof timelineBar>;

export const timelineRoom = z.object({
  id: z.int(),
  name: z.string(),
  remarkName: z.string(),
  groupId: z.int().nullable(),
  sort: z.int(),
  status: RoomStatus,
  /** null: the door has no lock */
  lockOnline: z.boolean().nullable(),
});
export type TimelineRoom = z.infer<typeof timelineRoom>;

export const timelineOutput = z.object({
  version: z.string(),
  /** instants at which the days begin, and `endsAt`, at which the last one ends */
  days: z.array(z.object({ date: z.string(), startsAt: z.string() })),
  endsAt: z.string(),
  groups: z.array(z.object({ id: z.int(), name: z.string(), sort: z.int() })),
  rooms: z.array(timelineRoom),
  bars: z.array(timelineBar),
});
export type Timeline = z.infer<typeof timelineOutput>;

const target = { stayId: f.id, roomId: f.id, startsAt: f.instant, endsAt: f.instant };
export const changeTarget = z.object(target).superRefine(checkPeriod);
export type ChangeTarget = z.infer<typeof changeTarget>;

const payment = {
  /** the difference that the clerk saw; if it has changed since, the call fails with price_changed */
  expectedDifferenceMinor: z.int().nullable().default(null),
  /** how the difference is paid or refunded now; null: it stays owed, or becomes the guest's credit */
  channel: PaymentChannel.nullable().default(null),
};

export const moveReservationInput = z
  .object({
    ...target,
    /** agreed price of the whole stay (needs prices.agree) */
    agreedTotalMinor: f.priceMinor.nullable().default(null),
    ...payment,
  })
  .superRefine(checkPeriod);
export type MoveReservationInput = z.infer<typeof moveReservationInput>;

/** Reverses a change, if that costs exactly what the change cost. */
const undo = z.object({ ...target, expectedDifferenceMinor: z.int() });
export const reservationMoved = z.object({
  stayId: z.int(),
  roomId: z.int(),
  entryId: z.int().nullable(),
  differenceMinor: z.int(),
  undo: undo.nullable(),
});
export type ReservationMoved = z.infer<typeof reservationMoved>;

export const shortenInput = z.object({ stayId: f.id, endsAt: f.instant, ...payment });
export type ShortenInput = z.infer<typeof shortenInput>;
export const stayShortened = z.object({
  stayId: z.int(),
  entryId: z.int().nullable(),
  differenceMinor: z.int(),
  endsAt: z.string(),
});

export const CHANGE_KINDS = ["none", "move", "renew", "shorten", "changeRoom"] as const;
export const ChangeKind = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** One change that a lock will receive. */
export const lockImpactItem = z.object({
  kind: z.enum([...CredentialKind.options, "old_cards"]),
  /**
   * given: the lock gets a new key · retimed: another period · removed: the lock deletes it · refused: the lock stops
   * accepting it
   */
  what: z.enum(["given", "retimed", "removed", "refused"]),
  /** person of the code, or note of the card or face */
  label: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type LockImpactItem = z.infer<typeof lockImpactItem>;

export const lockImpact = z.object({
  lockId: z.int(),
  lockName: z.string(),
  roomName: z.string(),
  driver: LockDriver,
  online: z.boolean(),
  tells: z.array(lockImpactItem),
});
export type LockImpact = z.infer<typeof lockImpact>;

/** What happens to a key for which no lock gets a command, or that does not move with the stay. */
export const keyImpact = z.object({
  kind: CredentialKind,
  label: z.string(),
  /**
   * write_anew: it opens no door after the change · prolong: it opens only until `until`, unless it is written again ·
   * opens_until: it keeps opening until `until` · ends: it opens nothing any more · keeps_old: its period stays
   * unchanged
   */
  what: z.enum(["write_anew", "prolong", "opens_until", "ends", "keeps_old"]),
  until: z.string().nullable(),
});
export type KeyImpact = z.infer<typeof keyImpact>;

export const changeConflict = z.object({
  kind: z.enum(["stay", "maintenance"]),
  stayGuestId: z.int().nullable(),
  guestName: z.string(),
  roomName: z.string(),
  startsAt: z.string(),
  endsAt: z.string().nullable(),
  note: z.string(),
});
export type ChangeConflict = z.infer<typeof changeConflict>;

export const changePreview = z.object({
  kind: ChangeKind,
  stayId: z.int(),
  guestName: z.string(),
  state: StayState,
  from: z.object({ roomName: z.string(), startsAt: z.string(), endsAt: z.string() }),
  to: z.object({ roomName: z.string(), startsAt: z.string(), endsAt: z.string() }),
  /** why the change would be refused, as an error payload; then everything below is empty */
  refusal: z
    .object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      fields: z.record(
        z.string(),
        z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
      ),
    })
    .nullable(),
  conflicts: z.array(changeConflict),
  /** the room is not cleaned yet, and a guest would move in immediately */
  roomDirty: z.boolean(),
  credit: z.array(quoteLine),
  charge: z.array(quoteLine),
  differenceMinor: z.int(),
  /** amount to pay if settled immediately; negative amounts go back to the guest */
  movedMinor: z.int(),
  locks: z.array(lockImpact),
  keys: z.array(keyImpact),
});
export type ChangePreview = z.infer<typeof changePreview>;

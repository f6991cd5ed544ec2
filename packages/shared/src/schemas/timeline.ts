import { z } from "zod";
import { CredentialKind, LockDriver, PaymentChannel, RoomStatus, StayState, StayUnit } from "../enums.ts";
import * as f from "./fields.ts";
import { quoteLine } from "./rooms.ts";
import { checkPeriod } from "./stays.ts";

export const TIMELINE_DAYS = 62;

export const timelineInput = z.object({
  /** hotel-local date of the first day */
  from: f.localDateField,
  days: z.int({ error: f.v.integer }).min(1, f.v.integer).max(TIMELINE_DAYS, f.v.integer),
});

/** One room of one party, or its maintenance, as far as it is known. */
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
      manageId: z.int(),
      state: StayState,
      unit: StayUnit,
      guestName: z.string(),
      guestCount: z.int(),
      /** of the whole stay: a room change gives it several bars */
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
  /** null: no lock at the door */
  lockOnline: z.boolean().nullable(),
});
export type TimelineRoom = z.infer<typeof timelineRoom>;

export const timelineOutput = z.object({
  version: z.string(),
  /** the instants at which the days begin, and the one at which the last ends */
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
  /** the difference that the clerk saw; another one by now is refused with price_changed */
  expectedDifferenceMinor: z.int().nullable().default(null),
  /** how a difference is paid or given back now; null: it stays owed, or the guest's credit */
  channel: PaymentChannel.nullable().default(null),
};

export const moveReservationInput = z
  .object({
    ...target,
    /** what the whole stay costs, as agreed (needs prices.agree) */
    agreedTotalMinor: f.priceMinor.nullable().default(null),
    ...payment,
  })
  .superRefine(checkPeriod);
export type MoveReservationInput = z.infer<typeof moveReservationInput>;

/** The way back, where it costs exactly what the way there cost. */
const undo = z.object({ ...target, expectedDifferenceMinor: z.int() });
export const reservationMoved = z.object({
  stayId: z.int(),
  roomId: z.int(),
  orderId: z.int().nullable(),
  differenceMinor: z.int(),
  undo: undo.nullable(),
});
export type ReservationMoved = z.infer<typeof reservationMoved>;

export const shortenInput = z.object({ stayId: f.id, endsAt: f.instant, ...payment });
export type ShortenInput = z.infer<typeof shortenInput>;
export const stayShortened = z.object({
  stayId: z.int(),
  orderId: z.int().nullable(),
  differenceMinor: z.int(),
  endsAt: z.string(),
});

export const CHANGE_KINDS = ["none", "move", "renew", "shorten", "changeRoom"] as const;
export const ChangeKind = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** What one lock will be told. */
export const lockImpactItem = z.object({
  kind: z.enum([...CredentialKind.options, "old_cards"]),
  /** given: it had none of it · retimed: another period · removed: to be forgotten · refused: opens no more */
  what: z.enum(["given", "retimed", "removed", "refused"]),
  /** person of the code, note of the card or face */
  label: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type LockImpactItem = z.infer<typeof lockImpactItem>;

export const lockNews = z.object({
  lockId: z.int(),
  lockName: z.string(),
  roomName: z.string(),
  driver: LockDriver,
  online: z.boolean(),
  tells: z.array(lockImpactItem),
});
export type LockNews = z.infer<typeof lockNews>;

/** What becomes of a key that no lock is told about, or that does not come along. */
export const keyNews = z.object({
  kind: CredentialKind,
  label: z.string(),
  /**
   * write_anew: it opens no door after the change · prolong: it opens until `until` only, unless it is written anew ·
   * opens_until: it goes on opening until `until` · ends: it opens nothing any more · keeps_old: its time stays as it was
   */
  what: z.enum(["write_anew", "prolong", "opens_until", "ends", "keeps_old"]),
  until: z.string().nullable(),
});
export type KeyNews = z.infer<typeof keyNews>;

export const changeConflict = z.object({
  kind: z.enum(["stay", "maintenance"]),
  manageId: z.int().nullable(),
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
  /** why it would be refused, as errors travel; everything below is empty then */
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
  /** the room is not cleaned yet, and somebody would go in at once */
  roomDirty: z.boolean(),
  credit: z.array(quoteLine),
  charge: z.array(quoteLine),
  differenceMinor: z.int(),
  /** what changes hands if it is settled at once; negative goes back to the guest */
  movedMinor: z.int(),
  locks: z.array(lockNews),
  keys: z.array(keyNews),
});
export type ChangePreview = z.infer<typeof changePreview>;

import { z } from "zod";
import { PaymentChannel, UnlockStyle } from "../../enums.ts";
import * as f from "../fields.ts";

/** Minor units; sums over the hotel may exceed a PostgreSQL integer. */
const sum = z.int();

/**
 * Figures of a business day, stored when the day is closed. They are numbers only, so that no name outlives its
 * erasure.
 */
export const nightFigures = z.object({
  arrivals: z.object({ expected: z.int(), arrived: z.int(), notCome: z.int() }),
  departures: z.object({ expected: z.int(), left: z.int(), overstaying: z.int() }),
  inHouse: z.object({ stays: z.int(), guests: z.int() }),
  unpaid: z.object({ stays: z.int(), owedMinor: sum }),
  /** charges for rooms on that day, minus what was written off */
  revenueMinor: sum,
  channels: z.array(z.object({ channel: PaymentChannel, takenMinor: sum, returnedMinor: sum })).max(20),
  doors: z.object({ neverOpened: z.int(), afterCheckOut: z.int(), vacantOpened: z.int() }),
});
export type NightFigures = z.infer<typeof nightFigures>;

export const nightStay = z.object({
  stayId: z.int(),
  stayGuestId: z.int().nullable(),
  guestName: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  /** planned arrival and departure */
  startsAt: z.string(),
  endsAt: z.string(),
  owedMinor: sum,
});
export type NightStay = z.infer<typeof nightStay>;

export const nightOpening = z.object({
  recordId: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  at: z.string(),
  style: UnlockStyle,
  /** the operator, or the holder of the card or code; "" if unknown */
  who: z.string(),
  stayGuestId: z.int().nullable(),
  guestName: z.string().nullable(),
});
export type NightOpening = z.infer<typeof nightOpening>;

export const nightAuditInput = z.object({
  /** hotel-local business day; null: the day that is ending or has just ended */
  date: f.localDateField.nullable().default(null),
});
/** Limit of the rows shown per list; the figures count all rows. */
export const NIGHT_LIST_ROWS = 200;
export const nightAuditOutput = z.object({
  date: z.string(),
  /** instants at which the day begins and ends */
  from: z.string(),
  to: z.string(),
  over: z.boolean(),
  /** covers the whole hotel: staff see only their rooms and can't close a day */
  whole: z.boolean(),
  closed: z.object({ at: z.string(), operatorName: z.string().nullable(), note: z.string() }).nullable(),
  figures: nightFigures,
  notCome: z.array(nightStay),
  overstaying: z.array(nightStay),
  unpaid: z.array(nightStay),
  neverOpened: z.array(nightStay),
  afterCheckOut: z.array(nightOpening),
  vacantOpened: z.array(nightOpening),
});
export type NightAudit = z.infer<typeof nightAuditOutput>;

/** `figures` are those that the caller saw: only these are closed. */
export const closeDayInput = z.object({
  date: f.localDateField,
  note: f.text(500).default(""),
  figures: nightFigures,
});
/** The same with a tick, for the form. */
export const closeDayForm = closeDayInput.extend({ checked: z.literal(true, f.v.checkFigures) });
export const closedDay = z.object({
  date: z.string(),
  closedAt: z.string(),
  operatorName: z.string().nullable(),
  note: z.string(),
});
export const closedDaysOutput = z.array(closedDay);

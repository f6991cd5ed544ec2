import { z } from "zod";
import { PaymentChannel, UnlockStyle } from "../enums.ts";
import * as f from "./fields.ts";

/** Minor units; sums over the house may exceed a PostgreSQL integer. */
const sum = z.int();

/** What a business day comes to. Kept as it is when the day is closed: numbers only, so that nobody's name outlives its erasure. */
export const nightFigures = z.object({
  arrivals: z.object({ expected: z.int(), arrived: z.int(), notCome: z.int() }),
  departures: z.object({ expected: z.int(), left: z.int(), overstaying: z.int() }),
  inHouse: z.object({ stays: z.int(), guests: z.int() }),
  unpaid: z.object({ stays: z.int(), owedMinor: sum }),
  /** charged for rooms in that day, less what was struck off */
  revenueMinor: sum,
  channels: z.array(z.object({ channel: PaymentChannel, takenMinor: sum, returnedMinor: sum })),
  doors: z.object({ neverOpened: z.int(), afterCheckOut: z.int(), vacantOpened: z.int() }),
});
export type NightFigures = z.infer<typeof nightFigures>;

export const nightStay = z.object({
  stayId: z.int(),
  manageId: z.int().nullable(),
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
  /** the operator, or whose card or code it was; "" where nobody can tell */
  who: z.string(),
  manageId: z.int().nullable(),
  guestName: z.string().nullable(),
});
export type NightOpening = z.infer<typeof nightOpening>;

export const nightAuditInput = z.object({
  /** hotel-local business day; null: the one that ends, or has just ended */
  date: f.localDateField.nullable().default(null),
});
/** At most this many rows of a list are shown; the figures count all. */
export const NIGHT_LIST_ROWS = 200;
export const nightAuditOutput = z.object({
  date: z.string(),
  /** the instants it begins and ends at */
  from: z.string(),
  to: z.string(),
  over: z.boolean(),
  /** the whole house is in it: staff see their rooms only, and don't close a day */
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

export const closeDayInput = z.object({ date: f.localDateField, note: f.text(500).default("") });
export const closedDay = z.object({
  date: z.string(),
  closedAt: z.string(),
  operatorName: z.string().nullable(),
  note: z.string(),
});
export const closedDaysOutput = z.array(closedDay);

import { z } from "zod";
import { RoomStatus } from "../../enums.ts";
import { traffic } from "../access/unlocks.ts";
import { outage } from "./outage.ts";

/** A guest who arrives or departs today; `at` is the planned instant. */
export const movement = z.object({
  stayId: z.int(),
  stayGuestId: z.int(),
  guestName: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  at: z.string(),
});
/** `rows` are the next of the `left` movements, earliest first. */
const movements = z.object({ done: z.int(), left: z.int(), rows: z.array(movement) });
export type Movements = z.infer<typeof movements>;

/** The hotel today. Parts that the caller may not see are null. Amounts are minor units, dates hotel-local. */
export const homeOverview = z.object({
  date: z.string(),
  rooms: z.record(RoomStatus, z.int()),
  /** number of rooms occupied in the night that begins on `date`, out of the rooms that are not under maintenance */
  nights: z.array(z.object({ date: z.string(), taken: z.int(), rooms: z.int() })),
  arrivals: movements.nullable(),
  departures: movements.nullable(),
  overdue: z.int().nullable(),
  unpaid: z.object({ stays: z.int(), owedMinor: z.int() }).nullable(),
  /** charges less what was refunded or cancelled, and the latter alone */
  revenue: z.array(z.object({ date: z.string(), minor: z.int(), returnedMinor: z.int() })).nullable(),
  traffic: traffic.nullable(),
  locks: z
    .object({ all: z.int(), offline: z.int(), notSetUp: z.int(), low: z.int(), stopped: z.int(), risk: z.int() })
    .nullable(),
  unread: z.int().nullable(),
  /**
   * reservations whose guests can't check in or open their door on their page until somebody confirms them, and the next of
   * these; null: there are none, or the caller may not confirm
   */
  unconfirmed: z
    .object({
      count: z.int(),
      stayGuestId: z.int(),
      guestName: z.string(),
      roomName: z.string(),
      startsAt: z.string(),
    })
    .nullable(),
  /** when the server was off lately; null also for those who enter no stays */
  outage: outage.nullable(),
});
export type HomeOverview = z.infer<typeof homeOverview>;

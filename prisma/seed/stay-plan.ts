import type { StayState, StayUnit } from "../../packages/shared/src/enums.ts";
import {
  addDays,
  addMonths,
  addUnits,
  atLocal,
  daysBetween,
  type InstantIso,
  type LocalDate,
  localDate,
} from "../../packages/shared/src/hotel-time.ts";
import { HOTEL, type RoomPlan } from "./hotel-plan.ts";
import type { Random } from "./random.ts";

export interface OccupancyPlan {
  /** index of the room */
  room: number;
  state: "held" | "in_house" | "ended" | "cancelled";
  startsAt: InstantIso;
  endsAt: InstantIso;
}

export interface StayPlan {
  state: StayState;
  unit: StayUnit;
  /** planned period, including extensions */
  startsAt: InstantIso;
  endsAt: InstantIso;
  /** departure as first booked, and when it was changed */
  bookedEndsAt: InstantIso;
  renewedAt: InstantIso | null;
  createdAt: InstantIso;
  checkedInAt: InstantIso | null;
  checkedOutAt: InstantIso | null;
  cancelledAt: InstantIso | null;
  occupancies: OccupancyPlan[];
}

export interface MaintenancePlan {
  room: number;
  startsAt: InstantIso;
  endsAt: InstantIso | null;
  note: string;
}

export interface HotelPlan {
  stays: StayPlan[];
  maintenance: MaintenancePlan[];
  dirty: ReadonlySet<number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const IN_HOUSE = 35;
const OVERDUE = 3;
const DEPARTING = 6;
const ARRIVED = 4;
const MONTHLY = 2;
const MAINTENANCE = 2;
const DIRTY = 4;
const ARRIVING_AT_VACANT = 5;
const FUTURE = 9;
const CANCELLED = 5;
const HISTORY_DAYS = 364;

/** Plans past, current and future stays, from a year back to some weeks ahead. */
export function planStays(random: Random, rooms: readonly RoomPlan[], now: InstantIso): HotelPlan {
  return new Planner(random, rooms, now).plan();
}

class Planner {
  readonly #now: number;
  readonly #today: LocalDate;
  readonly #stays: StayPlan[] = [];
  /** per room: the date by which its history must have ended */
  readonly #takenFrom: LocalDate[];
  /** per room: when it is free again, according to the plan so far */
  readonly #freeFrom: InstantIso[];

  constructor(
    private readonly random: Random,
    private readonly rooms: readonly RoomPlan[],
    now: InstantIso,
  ) {
    this.#now = Date.parse(now);
    this.#today = localDate(now, HOTEL.timeZone);
    this.#takenFrom = rooms.map(() => this.#today);
    this.#freeFrom = rooms.map(() => now);
  }

  plan(): HotelPlan {
    const order = this.random.shuffled(this.rooms.map((_, index) => index));
    const occupied = order.splice(0, IN_HOUSE);
    const outOfOrder = order.splice(0, MAINTENANCE);
    const dirty = order.splice(0, DIRTY);
    const departing = this.#inHouse(occupied);
    const maintenance = this.#maintenance(outOfOrder);
    for (const room of dirty) this.#leftToday(room);
    const arrivals = [...order.slice(0, ARRIVING_AT_VACANT), ...dirty.slice(0, 1), ...departing.slice(0, 1)];
    for (const room of arrivals) this.#arrivesToday(room);
    const others = this.random.shuffled([...occupied, ...order].filter((room) => !arrivals.includes(room)));
    for (const room of others.slice(0, FUTURE)) this.#comesLater(room);
    this.#cancelled(others.slice(FUTURE, FUTURE + CANCELLED));
    this.rooms.forEach((_, room) => {
      this.#history(room);
    });
    return { stays: this.#stays, maintenance, dirty: new Set(dirty) };
  }

  #local(date: LocalDate, time: string): InstantIso {
    return atLocal(date, time, HOTEL.timeZone);
  }

  /** Returns the instant that many minutes from now, rounded down to five minutes. */
  #fromNow(minutes: number): InstantIso {
    return iso(Math.floor((this.#now + minutes * MINUTE) / (5 * MINUTE)) * 5 * MINUTE);
  }

  #day(offset: number): LocalDate {
    return addDays(this.#today, offset);
  }

  /** Plans the stays of occupied rooms, and returns the rooms that guests leave today. */
  #inHouse(occupied: readonly number[]): number[] {
    const remaining = [...occupied];
    const take = (fits: (room: RoomPlan) => boolean): number[] => {
      const at = remaining.findIndex((room) => fits(this.#room(room)));
      return at < 0 ? [] : remaining.splice(at, 1);
    };
    for (const room of take(({ prices }) => prices.hourMinor !== null))
      this.#live(room, "hour", this.#fromNow(-95), this.#fromNow(145));
    for (let i = 0; i < MONTHLY; i += 1) {
      for (const room of take(({ prices }) => prices.monthMinor !== null)) {
        const start = this.#day(-this.random.int(8, 24));
        this.#live(
          room,
          "month",
          this.#local(start, HOTEL.checkInTime),
          this.#local(addMonths(start, 1), HOTEL.checkOutTime),
        );
      }
    }
    remaining.splice(0, OVERDUE).forEach((room, index) => {
      this.#live(room, "day", this.#arrival(this.random.int(2, 5)), this.#overdueSince(index));
    });
    const departing = remaining.splice(0, DEPARTING);
    for (const room of departing) this.#live(room, "day", this.#arrival(this.random.int(1, 5)), this.#departureToday());
    for (const room of remaining.splice(0, ARRIVED)) {
      this.#live(room, "day", this.#fromNow(-this.random.int(15, 200)), this.#departure(this.random.int(1, 5)));
    }
    for (const room of remaining)
      this.#live(room, "day", this.#arrival(this.random.int(1, 6)), this.#departure(this.random.int(1, 7)));
    return departing;
  }

  #room(index: number): RoomPlan {
    const room = this.rooms[index];
    if (!room) throw new RangeError(`no room ${index}`);
    return room;
  }

  #arrival(daysAgo: number): InstantIso {
    return this.#local(this.#day(-daysAgo), HOTEL.checkInTime);
  }

  #departure(inDays: number): InstantIso {
    return this.#local(this.#day(inDays), HOTEL.checkOutTime);
  }

  /** Returns the usual time early in the day, and a late check-out once that time has passed. */
  #departureToday(): InstantIso {
    const usual = this.#departure(0);
    return Date.parse(usual) > this.#now + HOUR ? usual : this.#fromNow(60 * this.random.int(1, 4) + 30);
  }

  #overdueSince(index: number): InstantIso {
    const today = this.#departure(0);
    return index > 0 && Date.parse(today) < this.#now - HOUR ? today : this.#departure(-1);
  }

  #live(room: number, unit: StayUnit, startsAt: InstantIso, endsAt: InstantIso): void {
    const lateMinutes = unit === "hour" ? 0 : 5 * this.random.int(0, 75);
    const checkedInAt = iso(Math.min(Date.parse(startsAt) + lateMinutes * MINUTE, Date.parse(this.#fromNow(-10))));
    const planned = startsAt < checkedInAt ? startsAt : checkedInAt;
    this.#takenFrom[room] = localDate(planned, HOTEL.timeZone);
    this.#freeFrom[room] = endsAt;
    this.#stays.push({
      ...this.#booking("checked_in", unit, planned, endsAt, checkedInAt),
      ...this.#renewal(unit, planned, endsAt, checkedInAt, 0.2),
      checkedInAt,
      occupancies: [{ room, state: "in_house", startsAt: planned, endsAt }],
    });
  }

  /** Plans a booking made weeks before, or at the desk on arrival. */
  #booking(
    state: StayState,
    unit: StayUnit,
    startsAt: InstantIso,
    endsAt: InstantIso,
    arrivedAt: InstantIso,
  ): StayPlan {
    const ahead = unit !== "hour" && this.random.chance(0.7);
    const createdAt = ahead
      ? iso(Date.parse(startsAt) - this.random.int(1, 45) * DAY - 5 * this.random.int(0, 70) * MINUTE)
      : arrivedAt;
    return {
      state,
      unit,
      startsAt,
      endsAt,
      bookedEndsAt: endsAt,
      renewedAt: null,
      createdAt,
      checkedInAt: null,
      checkedOutAt: null,
      cancelledAt: null,
      occupancies: [],
    };
  }

  /** Extends some stays by a night. */
  #renewal(
    unit: StayUnit,
    startsAt: InstantIso,
    endsAt: InstantIso,
    checkedInAt: InstantIso,
    probability: number,
  ): Pick<StayPlan, "bookedEndsAt" | "renewedAt"> {
    const none = { bookedEndsAt: endsAt, renewedAt: null };
    const lastDate = localDate(endsAt, HOTEL.timeZone);
    const nights = daysBetween(localDate(startsAt, HOTEL.timeZone), lastDate);
    if (unit !== "day" || nights < 2 || !this.random.chance(probability)) return none;
    const bookedEndsAt = this.#local(addDays(lastDate, -1), HOTEL.checkOutTime);
    const from = Date.parse(checkedInAt);
    const until = Math.min(this.#now, Date.parse(bookedEndsAt));
    if (until - from < HOUR) return none;
    return { bookedEndsAt, renewedAt: iso(from + Math.floor((until - from) * 0.7)) };
  }

  #maintenance(rooms: readonly number[]): MaintenancePlan[] {
    return rooms.map((room, index) => {
      const start = this.#day(index === 0 ? -2 : -9);
      this.#takenFrom[room] = start;
      const startsAt = this.#local(start, "09:00");
      return index === 0
        ? { room, startsAt, endsAt: this.#local(this.#day(3), "18:00"), note: "New shower tray, plumber comes daily" }
        : { room, startsAt, endsAt: null, note: "Water stain on the ceiling, waiting for the insurer" };
    });
  }

  /** Plans a stay that ended today, which leaves the room uncleaned. */
  #leftToday(room: number): void {
    const out = this.#fromNow(-this.random.int(15, 170));
    const end = localDate(out, HOTEL.timeZone);
    const start = addDays(end, -this.random.int(1, 4));
    this.#past(room, "day", this.#local(start, HOTEL.checkInTime), this.#local(end, HOTEL.checkOutTime), out);
    this.#takenFrom[room] = start;
  }

  #past(room: number, unit: StayUnit, startsAt: InstantIso, endsAt: InstantIso, checkedOutAt: InstantIso): void {
    const lateMinutes = unit === "hour" ? 0 : 5 * this.random.int(0, 80);
    const checkedInAt = iso(Date.parse(startsAt) + lateMinutes * MINUTE);
    this.#stays.push({
      ...this.#booking("checked_out", unit, startsAt, endsAt, checkedInAt),
      ...this.#renewal(unit, startsAt, endsAt, checkedInAt, 0.14),
      checkedInAt,
      checkedOutAt,
      occupancies: [{ room, state: "ended", startsAt, endsAt: checkedOutAt }],
    });
  }

  #arrivesToday(room: number): void {
    const usual = this.#local(this.#day(0), HOTEL.checkInTime);
    const earliest = Math.max(this.#now + HOUR / 2, Date.parse(this.#freeFrom[room] ?? usual));
    const startsAt = Date.parse(usual) >= earliest ? usual : iso(Math.ceil(earliest / HOUR) * HOUR);
    this.#reserved(room, startsAt, this.#departure(this.random.int(1, 5)));
  }

  #comesLater(room: number): void {
    const free = localDate(this.#freeFrom[room] ?? this.#fromNow(0), HOTEL.timeZone);
    const start = addDays(free > this.#today ? free : this.#day(1), this.random.int(0, 12));
    const end = addDays(start, this.random.int(1, 6));
    this.#reserved(room, this.#local(start, HOTEL.checkInTime), this.#local(end, HOTEL.checkOutTime));
  }

  #reserved(room: number, startsAt: InstantIso, planned: InstantIso): void {
    const endsAt =
      Date.parse(planned) - Date.parse(startsAt) < HOUR ? addUnits(planned, 1, "day", HOTEL.timeZone) : planned;
    this.#stays.push({
      ...this.#booking("reserved", "day", startsAt, endsAt, startsAt),
      createdAt: this.#fromNow(-this.random.int(3 * 60, 35 * 24 * 60)),
      occupancies: [{ room, state: "held", startsAt, endsAt }],
    });
  }

  #cancelled(rooms: readonly number[]): void {
    rooms.forEach((room, index) => {
      const start = this.#day(index < 3 ? -this.random.int(5, 90) : this.random.int(3, 30));
      const startsAt = this.#local(start, HOTEL.checkInTime);
      const endsAt = this.#local(addDays(start, this.random.int(1, 4)), HOTEL.checkOutTime);
      const cancelledAt = iso(Math.min(this.#now - HOUR, Date.parse(startsAt) - this.random.int(20, 100) * HOUR));
      this.#stays.push({
        ...this.#booking("cancelled", "day", startsAt, endsAt, startsAt),
        createdAt: iso(Date.parse(cancelledAt) - this.random.int(2, 20) * DAY),
        cancelledAt,
        occupancies: [{ room, state: "cancelled", startsAt, endsAt }],
      });
    });
  }

  /** Plans earlier stays backwards from the room's current use, more of them towards today. */
  #history(room: number): void {
    const { prices } = this.#room(room);
    const earliest = this.#day(-HISTORY_DAYS);
    const yesterday = this.#day(-1);
    let before = this.#takenFrom[room] ?? this.#today;
    const count = this.random.int(3, 6);
    for (let i = 0; i < count; i += 1) {
      const gap = i === 0 ? this.random.int(0, 9) : i === 1 ? this.random.int(4, 60) : this.random.int(15, 120);
      const date = addDays(before, -gap);
      const end = date < yesterday ? date : yesterday;
      if (prices.hourMinor !== null && gap > 0 && this.random.chance(0.08)) {
        const startsAt = this.#local(end, this.random.pick(["09:30", "10:00", "12:00"]));
        const endsAt = addUnits(startsAt, this.random.int(3, 6), "hour", HOTEL.timeZone);
        if (end < earliest) return;
        this.#past(room, "hour", startsAt, endsAt, iso(Date.parse(endsAt) - 5 * this.random.int(1, 9) * MINUTE));
        before = addDays(end, -1);
        continue;
      }
      const monthly = prices.monthMinor !== null && this.random.chance(0.07);
      const start = monthly ? addMonths(end, -1) : addDays(end, -this.random.weighted(NIGHTS));
      if (start < earliest) return;
      const out = iso(Date.parse(this.#local(end, "07:00")) + 5 * this.random.int(0, 50) * MINUTE);
      this.#past(
        room,
        monthly ? "month" : "day",
        this.#local(start, HOTEL.checkInTime),
        this.#local(end, HOTEL.checkOutTime),
        out,
      );
      before = start;
    }
  }
}

const NIGHTS = [
  [1, 30],
  [2, 30],
  [3, 18],
  [4, 10],
  [5, 6],
  [7, 6],
] as const;

const iso = (ms: number): InstantIso => new Date(ms).toISOString();

import { HOUR_MS } from "./durations.ts";
import type { LineKind, StayUnit } from "./enums.ts";
import {
  addDays,
  addMonths,
  atLocal,
  businessDate,
  daysBetween,
  type InstantIso,
  isoWeekday,
  type LocalDate,
  localDate,
  millisecondsBetween,
  wholeMonths,
} from "./hotel-time.ts";

/**
 * Price rules of a stay. Amounts are integer minor units of the hotel's currency.
 * A night is identified by the hotel-local date on which it begins. It costs the price of its date, else the weekend
 * price (the hotel chooses which nights are weekend nights), else the usual price. An arrival before `dayStartTime`
 * still uses the previous night; the date of departure is not a night; every stay by the day has at least one night.
 * Each whole calendar month or year costs the month or year price, and the remaining nights cost the night price;
 * without such a price they are the sum of their nights. Hours are elapsed hours, rounded up, and need an hour price
 * (source: domain rules, Prices).
 */
export interface RoomPrices {
  depositMinor: number;
  usualMinor: number;
  weekendMinor: number;
  renewalMinor: number | null;
  hourMinor: number | null;
  monthMinor: number | null;
  yearMinor: number | null;
  /** prices of single nights by date */
  dates: Readonly<Record<LocalDate, number>>;
}

export interface HotelCalendar {
  timeZone: string;
  /** ISO weekdays, 1 = Monday */
  weekendNights: readonly number[];
  /** "HH:mm" */
  dayStartTime: string;
}

export interface Period {
  startsAt: InstantIso;
  endsAt: InstantIso;
}

export interface QuoteLine {
  kind: LineKind;
  /** the night's date, or the first day of a longer unit */
  date: LocalDate;
  startsAt: InstantIso;
  endsAt: InstantIso;
  quantity: number;
  unitMinor: number;
  amountMinor: number;
  /** what an agreed total pays for: hours or nights; missing on all other lines */
  agreedUnit?: StayUnit | null;
}

/** A stay ends at least this long after it starts (source: specification, section 5). */
export const MIN_STAY_MS = HOUR_MS;
/** Longest period that is quoted, in days. */
export const MAX_STAY_DAYS = 3660;

type QuoteRefusal = "hour_price_missing";
export type Quoted = { lines: QuoteLine[]; totalMinor: number } | { refusal: QuoteRefusal };

export function totalOf(lines: readonly { amountMinor: number }[]): number {
  return lines.reduce((sum, line) => sum + line.amountMinor, 0);
}

/** Returns the nights that a stay by the day uses: `first`, and `end`, the day after the last. */
export function nightsOf(period: Period, hotel: HotelCalendar): { first: LocalDate; end: LocalDate } {
  const first = businessDate(period.startsAt, hotel.timeZone, hotel.dayStartTime);
  const departure = localDate(period.endsAt, hotel.timeZone);
  return { first, end: departure > first ? departure : addDays(first, 1) };
}

/** Quotes a new stay, line by line. */
export function quoteStay(period: Period, unit: StayUnit, prices: RoomPrices, hotel: HotelCalendar): Quoted {
  if (unit === "hour") return quoteHours(period, prices, hotel);
  const { first, end } = nightsOf(period, hotel);
  return quoted(quoteDates(first, end, unit, (date) => nightPrice(date, prices, hotel), prices, hotel));
}

/** A stay to renew, with the lines in effect that it was charged so far. */
export interface ChargedStay extends Period {
  charged: readonly QuoteLine[];
}

/**
 * Quotes moving the departure of `stay` to `newEndsAt`. It charges only additional nights and hours: what the stay
 * already paid as a night, or as an hour that it has begun, costs nothing again. Nights of a renewal cost the renewal
 * price if the room has one.
 */
export function quoteRenewal(
  stay: ChargedStay,
  newEndsAt: InstantIso,
  unit: StayUnit,
  prices: RoomPrices,
  hotel: HotelCalendar,
): Quoted {
  if (unit === "hour") return quoteHours({ startsAt: paidUntil(stay), endsAt: newEndsAt }, prices, hotel);
  const nights = additionalNights(stay, newEndsAt, hotel);
  const priceOf = (date: LocalDate): NightPrice =>
    prices.renewalMinor === null ? nightPrice(date, prices, hotel) : { kind: "renewal", minor: prices.renewalMinor };
  return quoted(quoteDates(nights.first, nights.end, unit, priceOf, prices, hotel));
}

/** Checks whether a line pays for hours: by the hour, or with a total that was agreed for hours. */
export function isHourLine({ kind, agreedUnit }: QuoteLine): boolean {
  return kind === "hour" || (kind === "agreed" && agreedUnit === "hour");
}

/** Returns the end of the last hour that `stay` paid without a gap after its departure; without one, the departure. */
function paidUntil({ endsAt, charged }: ChargedStay): InstantIso {
  const hours = charged
    .filter(({ kind }) => kind === "hour")
    .map((line) => ({ from: line.startsAt, to: endOfHours(line), count: Math.sign(line.amountMinor) }));
  const changes = hours.flatMap(({ from, to }) => [from, to]).sort();
  let until = endsAt;
  const isPaid = (at: InstantIso): boolean =>
    hours.reduce((sum, { from, to, count }) => (from <= at && at < to ? sum + count : sum), 0) > 0;
  while (isPaid(until)) until = changes.find((at) => at > until) ?? until;
  return until;
}

/**
 * Returns the nights that a renewal by the day adds. Hours don't pay for a night: where the stay ends with hours, nights
 * are counted from the one in which these end, and a stay without any night pays for at least one.
 */
function additionalNights(
  stay: ChargedStay,
  newEndsAt: InstantIso,
  hotel: HotelCalendar,
): { first: LocalDate; end: LocalDate } {
  const last = stay.charged.toSorted((a, b) => a.endsAt.localeCompare(b.endsAt)).at(-1);
  if (!last || !isHourLine(last)) {
    return { first: nightsOf(stay, hotel).end, end: nightsOf({ ...stay, endsAt: newEndsAt }, hotel).end };
  }
  const first = businessDate(stay.endsAt, hotel.timeZone, hotel.dayStartTime);
  const departure = localDate(newEndsAt, hotel.timeZone);
  if (departure > first) return { first, end: departure };
  return { first, end: stay.charged.every(isHourLine) ? addDays(first, 1) : first };
}

/** Returns the single line of a total that the desk agreed with the guest for hours or nights. */
export function agreedLine(
  { startsAt, endsAt }: Period,
  agreedUnit: StayUnit,
  amountMinor: number,
  hotel: HotelCalendar,
): QuoteLine {
  const { first } = nightsOf({ startsAt, endsAt }, hotel);
  return {
    kind: "agreed",
    date: first,
    startsAt,
    endsAt,
    quantity: 1,
    unitMinor: amountMinor,
    amountMinor,
    agreedUnit,
  };
}

/**
 * Returns the part of `lines` after `cut`: nights from the night of `cut` on, and hours that have not begun; longer
 * units in proportion to their nights, rounded towards zero. A room change refunds this for the old room and charges it
 * for the new one.
 */
export function restOf(lines: readonly QuoteLine[], cut: InstantIso, hotel: HotelCalendar): QuoteLine[] {
  return lines.flatMap((line) => {
    if (line.startsAt >= cut) return [line];
    const { left, whole } = isHourLine(line) ? hoursLeft(line, cut) : nightsLeft(line, cut, hotel);
    if (left <= 0) return [];
    if (left >= whole) return [line];
    const amountMinor = Math.trunc((line.amountMinor * left) / whole);
    // The rest of hours starts with one of them, so that a later cut finds the same hours.
    const startsAt = isHourLine(line) ? addHours(line.startsAt, whole - left) : cut;
    return [
      {
        ...line,
        startsAt,
        date: localDate(startsAt, hotel.timeZone),
        ...(line.kind === "hour"
          ? { quantity: left, amountMinor: line.unitMinor * left }
          : { quantity: 1, unitMinor: amountMinor, amountMinor }),
      },
    ];
  });
}

/**
 * Returns the part of `lines` that a guest who leaves at `departure` doesn't use: nights from that of `end` on, by
 * default from the hotel-local date of `departure`, and hours that have not begun. So the night that is passing after
 * midnight is used.
 */
export function unusedOf(
  lines: readonly QuoteLine[],
  departure: InstantIso,
  hotel: HotelCalendar,
  end: LocalDate = localDate(departure, hotel.timeZone),
): QuoteLine[] {
  const night = atLocal(end, hotel.dayStartTime, hotel.timeZone);
  return lines.flatMap((line) => restOf([line], isHourLine(line) ? departure : night, hotel));
}

/** Returns the same lines as a refund: only the sign differs, so that later sums by night are correct. */
export function creditOf(lines: readonly QuoteLine[]): QuoteLine[] {
  return lines.map((line) => ({ ...line, unitMinor: -line.unitMinor, amountMinor: -line.amountMinor }));
}

interface NightPrice {
  kind: LineKind;
  minor: number;
}

function quoted(lines: QuoteLine[]): Quoted {
  return { lines, totalMinor: totalOf(lines) };
}

function nightPrice(date: LocalDate, prices: RoomPrices, hotel: HotelCalendar): NightPrice {
  const special = prices.dates[date];
  if (special !== undefined) return { kind: "special", minor: special };
  if (hotel.weekendNights.includes(isoWeekday(date))) return { kind: "weekend", minor: prices.weekendMinor };
  return { kind: "usual", minor: prices.usualMinor };
}

function quoteHours({ startsAt, endsAt }: Period, prices: RoomPrices, hotel: HotelCalendar): Quoted {
  if (prices.hourMinor === null) return { refusal: "hour_price_missing" };
  if (startsAt >= endsAt) return quoted([]);
  const quantity = Math.ceil(millisecondsBetween(startsAt, endsAt) / HOUR_MS);
  const date = localDate(startsAt, hotel.timeZone);
  const unitMinor = prices.hourMinor;
  return quoted([{ kind: "hour", date, startsAt, endsAt, quantity, unitMinor, amountMinor: quantity * unitMinor }]);
}

function quoteDates(
  first: LocalDate,
  end: LocalDate,
  unit: StayUnit,
  priceOf: (date: LocalDate) => NightPrice,
  prices: RoomPrices,
  hotel: HotelCalendar,
): QuoteLine[] {
  const lines: QuoteLine[] = [];
  let date = first;
  let startsAt = atLocal(date, hotel.dayStartTime, hotel.timeZone);
  const addLine = (kind: LineKind, until: LocalDate, minor: number): void => {
    const endsAt = atLocal(until, hotel.dayStartTime, hotel.timeZone);
    lines.push({ kind, date, startsAt, endsAt, quantity: 1, unitMinor: minor, amountMinor: minor });
    [date, startsAt] = [until, endsAt];
  };
  const takeMonths = (kind: LineKind, size: number, minor: number): void => {
    const count = Math.floor(wholeMonths(date, end) / size);
    const anchor = date;
    for (let i = 1; i <= count; i += 1) addLine(kind, addMonths(anchor, i * size), minor);
  };
  if (unit === "year" && prices.yearMinor !== null) takeMonths("year", 12, prices.yearMinor);
  if ((unit === "year" || unit === "month") && prices.monthMinor !== null) takeMonths("month", 1, prices.monthMinor);
  while (date < end) {
    const night = priceOf(date);
    addLine(night.kind, addDays(date, 1), night.minor);
  }
  return lines;
}

const NIGHTS: readonly LineKind[] = ["usual", "weekend", "special", "renewal"];

function nightsLeft(line: QuoteLine, cut: InstantIso, hotel: HotelCalendar): { left: number; whole: number } {
  // A single night is known by its date, also if the hotel's zone or start of day has changed since it was charged.
  const { first, end } = NIGHTS.includes(line.kind)
    ? { first: line.date, end: addDays(line.date, 1) }
    : nightsOf(line, hotel);
  const from = businessDate(cut, hotel.timeZone, hotel.dayStartTime);
  return { left: daysBetween(from > first ? from : first, end), whole: daysBetween(first, end) };
}

const addHours = (at: InstantIso, hours: number): InstantIso =>
  new Date(Date.parse(at) + hours * HOUR_MS).toISOString();

/** Returns the number of hours that a line pays for; the last may not be full. */
function hoursOf({ kind, quantity, startsAt, endsAt }: QuoteLine): number {
  return kind === "hour" ? quantity : Math.ceil(millisecondsBetween(startsAt, endsAt) / HOUR_MS);
}

const endOfHours = (line: QuoteLine): InstantIso => addHours(line.startsAt, hoursOf(line));

function hoursLeft(line: QuoteLine, cut: InstantIso): { left: number; whole: number } {
  return { left: Math.floor(millisecondsBetween(cut, endOfHours(line)) / HOUR_MS), whole: hoursOf(line) };
}

export type LineGroup = {
  kind: LineKind;
  from: string;
  to: string;
  count: number;
  unitMinor: number;
  amountMinor: number;
};

/**
 * Groups consecutive nights at one price. `from` and `to` are the dates of the first and last line; amounts in minor
 * units.
 */
export function groupLines(lines: readonly QuoteLine[]): LineGroup[] {
  const groups: LineGroup[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && last.kind === line.kind && last.unitMinor === line.unitMinor && line.kind !== "agreed") {
      last.to = line.date;
      last.count += line.quantity;
      last.amountMinor += line.amountMinor;
    } else {
      groups.push({
        kind: line.kind,
        from: line.date,
        to: line.date,
        count: line.quantity,
        unitMinor: line.unitMinor,
        amountMinor: line.amountMinor,
      });
    }
  }
  return groups;
}

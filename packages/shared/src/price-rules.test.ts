import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "./durations.ts";
import { addUnits, atLocal, daysBetween, fromLocalInput, millisecondsBetween, toLocalInput } from "./hotel-time.ts";
import {
  agreedLine,
  creditOf,
  type HotelCalendar,
  nightsOf,
  type Quoted,
  type QuoteLine,
  quoteRenewal,
  quoteStay,
  type RoomPrices,
  restOf,
  totalOf,
  unusedOf,
} from "./price-rules.ts";

const PRICES: RoomPrices = {
  depositMinor: 0,
  usualMinor: 100,
  weekendMinor: 150,
  renewalMinor: null,
  hourMinor: 10,
  monthMinor: null,
  yearMinor: null,
  dates: {},
};

const calendar = (timeZone: string): HotelCalendar => ({ timeZone, weekendNights: [5, 6], dayStartTime: "05:00" });
const BERLIN = calendar("Europe/Berlin");

function lines(quoted: Quoted) {
  if ("refusal" in quoted) throw new Error(quoted.refusal);
  return quoted.lines;
}

function local(hotel: HotelCalendar, from: string, to: string) {
  const at = (text: string): string => atLocal(text.slice(0, 10), text.slice(11), hotel.timeZone);
  return { startsAt: at(from), endsAt: at(to) };
}

const nights = (hotel: HotelCalendar, from: string, to: string, prices = PRICES) =>
  lines(quoteStay(local(hotel, from, to), "day", prices, hotel)).map((line) => line.date);

describe("nights", () => {
  it.each([
    ["Europe/Berlin, spring forward (23 hours)", "Europe/Berlin", "2026-03-28", "2026-03-30", 47],
    ["Europe/Berlin, fall back (25 hours)", "Europe/Berlin", "2026-10-24", "2026-10-26", 49],
    ["America/New_York, spring forward", "America/New_York", "2026-03-07", "2026-03-09", 47],
    ["America/New_York, fall back", "America/New_York", "2026-10-31", "2026-11-02", 49],
    ["Asia/Kathmandu, no change, UTC+5:45", "Asia/Kathmandu", "2026-03-28", "2026-03-30", 48],
  ])("%s: two nights cost two nights", (_name, zone, from, to, hours) => {
    const hotel = calendar(zone);
    const period = local(hotel, `${from} 14:00`, `${to} 14:00`);
    expect(millisecondsBetween(period.startsAt, period.endsAt)).toBe(hours * HOUR_MS);
    const quoted = lines(quoteStay(period, "day", PRICES, hotel));
    expect(quoted).toHaveLength(2);
    expect(quoted[0]?.date).toBe(from);
    const hourly = lines(quoteStay(period, "hour", PRICES, hotel));
    expect(hourly).toMatchObject([{ quantity: hours, amountMinor: hours * 10 }]);
  });

  it("are named by the hotel's date, not by UTC's", () => {
    const kathmandu = calendar("Asia/Kathmandu");
    expect(atLocal("2026-11-20", "14:00", "Asia/Kathmandu")).toBe("2026-11-20T08:15:00.000Z");
    expect(nights(kathmandu, "2026-11-20 14:00", "2026-11-22 11:00")).toEqual(["2026-11-20", "2026-11-21"]);
    expect(nights(calendar("America/New_York"), "2026-11-20 22:00", "2026-11-21 11:00")).toEqual(["2026-11-20"]);
  });

  it("count 29 February in a leap year only", () => {
    expect(nights(BERLIN, "2028-02-28 14:00", "2028-03-01 11:00")).toEqual(["2028-02-28", "2028-02-29"]);
    expect(nights(BERLIN, "2027-02-28 14:00", "2027-03-01 11:00")).toEqual(["2027-02-28"]);
  });

  it("before the day starts belong to the night before", () => {
    expect(nights(BERLIN, "2026-11-20 01:30", "2026-11-20 11:00")).toEqual(["2026-11-19"]);
    expect(nights(BERLIN, "2026-11-20 05:00", "2026-11-21 11:00")).toEqual(["2026-11-20"]);
  });

  it("are at least one, also for day use", () => {
    expect(nights(BERLIN, "2026-11-20 09:00", "2026-11-20 17:00")).toEqual(["2026-11-20"]);
  });
});

describe("prices", () => {
  it("use the price of a date before the weekend's, and the weekend's before the usual one", () => {
    const prices = { ...PRICES, dates: { "2026-11-20": 500 } };
    const quoted = lines(quoteStay(local(BERLIN, "2026-11-19 14:00", "2026-11-22 11:00"), "day", prices, BERLIN));
    expect(quoted.map((line) => [line.kind, line.amountMinor])).toEqual([
      ["usual", 100],
      ["special", 500],
      ["weekend", 150],
    ]);
  });

  it("by the month count calendar months, then nights; without a monthly price all nights", () => {
    const period = local(BERLIN, "2027-01-31 14:00", "2027-03-02 11:00");
    const monthly = lines(quoteStay(period, "month", { ...PRICES, monthMinor: 2_000 }, BERLIN));
    expect(monthly.map((line) => [line.kind, line.date])).toEqual([
      ["month", "2027-01-31"],
      ["usual", "2027-02-28"],
      ["usual", "2027-03-01"],
    ]);
    expect(lines(quoteStay(period, "month", PRICES, BERLIN))).toHaveLength(30);
  });

  it("by the year count years, then months, then nights", () => {
    const prices = { ...PRICES, yearMinor: 20_000, monthMinor: 2_000 };
    const period = local(BERLIN, "2027-01-15 14:00", "2028-03-17 11:00");
    const kinds = lines(quoteStay(period, "year", prices, BERLIN)).map((line) => line.kind);
    expect(kinds).toEqual(["year", "month", "month", "usual", "usual"]);
  });

  it("by the hour are refunded completely before the start, including a last incomplete hour", () => {
    const period = local(BERLIN, "2026-11-18T14:00", "2026-11-18T16:30");
    const charged = lines(quoteStay(period, "hour", PRICES, BERLIN));
    expect(totalOf(charged)).toBe(30);
    expect(totalOf(restOf(charged, period.startsAt, BERLIN))).toBe(30);
    expect(totalOf(restOf(charged, local(BERLIN, "2026-11-18T14:10", "2026-11-18T16:30").startsAt, BERLIN))).toBe(20);
  });

  it("agreed for hours are refunded by the hour, however often the rest is divided", () => {
    const period = local(BERLIN, "2026-11-18T14:00", "2026-11-18T18:00");
    const charged = [agreedLine(period, "hour", 100, BERLIN)];
    const at = (time: string) => local(BERLIN, `2026-11-18T${time}`, "2026-11-18T18:00").startsAt;
    expect(totalOf(restOf(charged, period.startsAt, BERLIN))).toBe(100);
    const rest = restOf(charged, at("15:30"), BERLIN);
    expect(totalOf(rest)).toBe(50);
    expect(totalOf(restOf(rest, at("17:00"), BERLIN))).toBe(25);
    expect(totalOf(restOf([agreedLine(period, "day", 100, BERLIN)], at("15:30"), BERLIN))).toBe(100);
  });

  it("by the hour are refunded for each hour that has not begun, also if the last one is incomplete", () => {
    const period = local(BERLIN, "2026-11-18T14:00", "2026-11-18T16:30");
    const charged = lines(quoteStay(period, "hour", PRICES, BERLIN));
    const at = (time: string) => local(BERLIN, `2026-11-18T${time}`, "2026-11-18T16:30").startsAt;
    const rest = restOf(charged, at("14:40"), BERLIN);
    expect(totalOf(rest)).toBe(20);
    expect(totalOf(restOf(rest, at("15:40"), BERLIN))).toBe(10);
    expect(totalOf(restOf(rest, at("16:10"), BERLIN))).toBe(0);
  });

  it.each([
    ["the day starts later", { ...BERLIN, dayStartTime: "12:00" }],
    ["the day starts earlier", { ...BERLIN, dayStartTime: "00:00" }],
    ["the hotel's clock is corrected", calendar("America/New_York")],
  ])("of nights stay whole nights when %s after the booking", (_name, hotel) => {
    const period = local(BERLIN, "2026-11-16 14:00", "2026-11-19 11:00");
    const charged = lines(quoteStay(period, "day", PRICES, BERLIN));
    const cut = local(hotel, "2026-11-17 13:00", "2026-11-18 00:00").startsAt;
    expect(restOf(charged, cut, hotel).map(({ date, amountMinor }) => [date, amountMinor])).toEqual([
      ["2026-11-17", 100],
      ["2026-11-18", 100],
    ]);
  });

  it.each([
    ["on the afternoon before", "2026-11-17 15:00", 250],
    ["late in the evening before", "2026-11-17 23:30", 250],
    ["after midnight, when the night is passing", "2026-11-18 02:00", 150],
    ["in the morning", "2026-11-18 11:00", 150],
  ])("are unused from the night of the departure on: %s", (_name, departure, unusedMinor) => {
    const charged = lines(quoteStay(local(BERLIN, "2026-11-16 14:00", "2026-11-19 11:00"), "day", PRICES, BERLIN));
    const dear = charged.map((line, index) => ({ ...line, amountMinor: 50 + 50 * index }));
    const at = local(BERLIN, departure, "2026-11-19 11:00").startsAt;
    expect(totalOf(unusedOf(dear, at, BERLIN))).toBe(unusedMinor);
    const total = agreedLine(local(BERLIN, "2026-11-16 14:00", "2026-11-19 11:00"), "day", 300, BERLIN);
    expect(totalOf(unusedOf([total], at, BERLIN))).toBe(unusedMinor === 250 ? 200 : 100);
  });

  it("of an arrival after midnight are used from the first moment", () => {
    const period = local(BERLIN, "2026-11-18 01:00", "2026-11-18 11:00");
    const charged = lines(quoteStay(period, "day", PRICES, BERLIN));
    expect(totalOf(unusedOf(charged, local(BERLIN, "2026-11-18 02:00", "2026-11-18 03:00").startsAt, BERLIN))).toBe(0);
  });

  it("by the hour are refused if the room has none", () => {
    const period = local(BERLIN, "2026-11-20 14:00", "2026-11-20 16:00");
    expect(quoteStay(period, "hour", { ...PRICES, hourMinor: null }, BERLIN)).toEqual({
      refusal: "hour_price_missing",
    });
  });
});

describe("units on the hotel's clock", () => {
  it("add calendar months and real hours", () => {
    const january31 = atLocal("2027-01-31", "14:00", "Europe/Berlin");
    expect(toLocalInput(addUnits(january31, 1, "month", "Europe/Berlin"), "Europe/Berlin")).toBe("2027-02-28T14:00");
    const leap = atLocal("2028-02-29", "14:00", "Europe/Berlin");
    expect(toLocalInput(addUnits(leap, 1, "year", "Europe/Berlin"), "Europe/Berlin")).toBe("2029-02-28T14:00");
    const beforeChange = atLocal("2026-03-28", "14:00", "Europe/Berlin");
    expect(toLocalInput(addUnits(beforeChange, 1, "day", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-29T14:00");
    expect(toLocalInput(addUnits(beforeChange, 24, "hour", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-29T15:00");
  });

  it("move a time that the clock skips forward", () => {
    expect(fromLocalInput("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
    expect(fromLocalInput("not a time", "Europe/Berlin")).toBeNull();
  });
});

const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC");
const arrivals = fc.integer({ min: 0, max: 3 * 365 * 24 }).map((hour) => Date.UTC(2026, 0, 1) + hour * HOUR_MS);
const lengths = fc.integer({ min: 1, max: 24 * 90 });
const units = fc.constantFrom("day", "month", "year", "hour" as const);
const iso = (time: number): string => new Date(time).toISOString();

describe("invariants", () => {
  it("a stay and its renewal cost as much as one stay of the whole period", () => {
    fc.assert(
      fc.property(zones, arrivals, lengths, lengths, (zone, start, first, second) => {
        const hotel = calendar(zone);
        const stay = { startsAt: iso(start), endsAt: iso(start + first * HOUR_MS) };
        const end = iso(start + (first + second) * HOUR_MS);
        const charged = lines(quoteStay(stay, "day", PRICES, hotel));
        const renewal = quoteRenewal({ ...stay, charged }, end, "day", PRICES, hotel);
        const parts = [...charged, ...lines(renewal)];
        const whole = lines(quoteStay({ ...stay, endsAt: end }, "day", PRICES, hotel));
        expect(parts).toEqual(whole);
      }),
    );
  });

  it("nights follow one another without gap or overlap, from the first to the last", () => {
    fc.assert(
      fc.property(zones, arrivals, lengths, units, (zone, start, hours, unit) => {
        const hotel = calendar(zone);
        const period = { startsAt: iso(start), endsAt: iso(start + hours * HOUR_MS) };
        const quoted = lines(quoteStay(period, unit, { ...PRICES, monthMinor: 2_000 }, hotel));
        quoted.forEach((line, n) => {
          if (n > 0) expect(line.startsAt).toBe(quoted[n - 1]?.endsAt);
        });
        if (unit === "day") {
          const { first, end } = nightsOf(period, hotel);
          expect(quoted).toHaveLength(daysBetween(first, end));
        }
      }),
    );
  });

  it("a stay by the hour costs its hours, however often its departure changes", () => {
    const minutes = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(zones, arrivals, fc.array(minutes, { minLength: 1, maxLength: 6 }), (zone, start, ends) => {
        const hotel = calendar(zone);
        const startsAt = iso(start);
        let endsAt = startsAt;
        const charged: QuoteLine[] = [];
        for (const minute of ends) {
          const next = iso(start + minute * 60_000);
          if (next < endsAt) charged.push(...creditOf(restOf(charged, next, hotel)));
          else if (endsAt === startsAt)
            charged.push(...lines(quoteStay({ startsAt, endsAt: next }, "hour", PRICES, hotel)));
          else if (next > endsAt) {
            charged.push(...lines(quoteRenewal({ startsAt, endsAt, charged }, next, "hour", PRICES, hotel)));
          }
          endsAt = next;
          expect(totalOf(charged)).toBe(Math.ceil(minute / 60) * 10);
        }
      }),
    );
  });

  it("a room change back into an equal room costs nothing, however often", () => {
    fc.assert(
      fc.property(
        zones,
        arrivals,
        lengths,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
        units,
        (zone, start, hours, cuts, unit) => {
          const hotel = calendar(zone);
          const period = { startsAt: iso(start), endsAt: iso(start + hours * HOUR_MS) };
          const charged = lines(quoteStay(period, unit, PRICES, hotel));
          const total = totalOf(charged);
          for (const cut of cuts.sort()) {
            const at = iso(start + Math.floor(cut * hours * HOUR_MS));
            charged.push(
              ...creditOf(restOf(charged, at, hotel)),
              ...restOf(lines(quoteStay(period, unit, PRICES, hotel)), at, hotel),
            );
          }
          expect(totalOf(charged)).toBe(total);
        },
      ),
    );
  });
});

import { describe, expect, it } from "vitest";
import { agreedLine, type QuoteLine, quoteRenewal, quoteStay, type RoomPrices, totalOf } from "./price-rules.ts";

const PRICES: RoomPrices = {
  ...{ depositMinor: 0, usualMinor: 100, weekendMinor: 150, renewalMinor: 80 },
  ...{ hourMinor: null, monthMinor: null, yearMinor: null, dates: { "2026-11-20": 500 } },
};
const HOTEL = { timeZone: "UTC", weekendNights: [5, 6], dayStartTime: "05:00" };

it("nights of a renewal cost the price set for renewals, whatever the day", () => {
  const period = { startsAt: "2026-11-18T14:00:00.000Z", endsAt: "2026-11-19T11:00:00.000Z" };
  const stay = { ...period, unit: "day" as const, charged: [] };
  const kindsWith = (prices: RoomPrices) => {
    const quoted = quoteRenewal(stay, "2026-11-22T11:00:00.000Z", "day", prices, HOTEL);
    return "refusal" in quoted ? quoted.refusal : quoted.lines.map((line) => [line.kind, line.amountMinor]);
  };
  expect(kindsWith(PRICES)).toEqual([
    ["renewal", 80],
    ["renewal", 80],
    ["renewal", 80],
  ]);
  expect(kindsWith({ ...PRICES, renewalMinor: null })).toEqual([
    ["usual", 100],
    ["special", 500],
    ["weekend", 150],
  ]);
});

describe("stays by the hour set no renewal price for nights", () => {
  const prices = { ...PRICES, renewalMinor: null, hourMinor: 10 };
  const linesOf = (quoted: ReturnType<typeof quoteStay>) => ("refusal" in quoted ? [] : quoted.lines);
  const at = (text: string) => `2026-11-${text}:00.000Z`;

  /** Costs of each step; the first is the stay itself. */
  function costs(...steps: readonly (readonly [unit: "hour" | "day", endsAt: string])[]): number[] {
    const startsAt = at("18T14:00");
    let endsAt = startsAt;
    const charged: QuoteLine[] = [];
    return steps.map(([by, until], step) => {
      const period = { startsAt, endsAt: at(until) };
      const lines =
        step === 0
          ? linesOf(quoteStay(period, by, prices, HOTEL))
          : linesOf(quoteRenewal({ startsAt, endsAt, charged }, at(until), by, prices, HOTEL));
      endsAt = at(until);
      charged.push(...lines);
      return totalOf(lines);
    });
  }

  it.each([
    [
      "an hour, then the night",
      [
        ["hour", "18T15:00"],
        ["day", "19T11:00"],
      ],
      [10, 100],
    ],
    [
      "an hour, then the day",
      [
        ["hour", "18T15:00"],
        ["day", "18T20:00"],
      ],
      [10, 100],
    ],
    [
      "an hour, then the night, then a later departure",
      [
        ["hour", "18T15:00"],
        ["day", "19T11:00"],
        ["day", "19T17:00"],
      ],
      [10, 100, 0],
    ],
    [
      "a night, hours past midnight, then the morning",
      [
        ["day", "19T11:00"],
        ["hour", "20T00:30"],
        ["day", "20T11:00"],
      ],
      [100, 140, 100],
    ],
    [
      "a night, then hours, then a later departure",
      [
        ["day", "19T11:00"],
        ["hour", "19T14:00"],
        ["day", "19T17:00"],
      ],
      [100, 30, 0],
    ],
    [
      "a night, then hours, then another night",
      [
        ["day", "19T11:00"],
        ["hour", "19T14:00"],
        ["day", "20T11:00"],
      ],
      [100, 30, 100],
    ],
  ] as const)("%s", (_name, steps, expected) => {
    expect(costs(...steps)).toEqual(expected);
  });

  it("a total agreed for hours sets none", () => {
    const stay = { startsAt: at("18T14:00"), endsAt: at("18T15:00"), unit: "hour" as const };
    const charged = [agreedLine(stay, "hour", 7, HOTEL)];
    expect(totalOf(linesOf(quoteRenewal({ ...stay, charged }, at("19T11:00"), "day", prices, HOTEL)))).toBe(100);
  });

  it("a total agreed for a night sets one, whatever the stay's unit", () => {
    const hour = agreedLine({ startsAt: at("18T14:00"), endsAt: at("18T15:00") }, "hour", 7, HOTEL);
    const night = agreedLine({ startsAt: at("18T15:00"), endsAt: at("19T11:00") }, "day", 90, HOTEL);
    const stay = { startsAt: at("18T14:00"), endsAt: at("19T11:00"), charged: [hour, night] };
    expect(totalOf(linesOf(quoteRenewal(stay, at("19T17:00"), "day", prices, HOTEL)))).toBe(0);
    expect(totalOf(linesOf(quoteRenewal(stay, at("20T11:00"), "day", prices, HOTEL)))).toBe(100);
  });
});

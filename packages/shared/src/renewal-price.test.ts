import { expect, it } from "vitest";
import { quoteRenewal, type RoomPrices } from "./quote.ts";

const PRICES: RoomPrices = {
  ...{ depositMinor: 0, usualMinor: 100, weekendMinor: 150, renewalMinor: 80 },
  ...{ hourMinor: null, monthMinor: null, yearMinor: null, dates: { "2026-11-20": 500 } },
};
const HOTEL = { timeZone: "UTC", weekendNights: [5, 6], dayStartTime: "05:00" };

it("nights of a renewal cost the price set for renewals, whatever the day", () => {
  const stay = { startsAt: "2026-11-18T14:00:00.000Z", endsAt: "2026-11-19T11:00:00.000Z" };
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

import { expect, it } from "vitest";
import { offsetOf, scaleOf, spanOf } from "./grid-position.ts";

// In Berlin, the clock skips an hour on 2027-03-28.
const scale = scaleOf({
  days: [
    { date: "2027-03-27", startsAt: "2027-03-26T23:00:00.000Z" },
    { date: "2027-03-28", startsAt: "2027-03-27T23:00:00.000Z" },
    { date: "2027-03-29", startsAt: "2027-03-28T22:00:00.000Z" },
  ],
  endsAt: "2027-03-29T22:00:00.000Z",
});
const offset = (instant: string): number => offsetOf(scale, Date.parse(instant));

it("places an instant proportionally in the hotel's day, also in a day of 23 hours", () => {
  expect(offset("2027-03-27T11:00:00.000Z")).toBe(0.5);
  expect(offset("2027-03-27T23:00:00.000Z")).toBe(1);
  expect(offset("2027-03-28T10:30:00.000Z")).toBe(1.5);
  expect(offset("2027-03-28T22:00:00.000Z")).toBe(2);
});

it("clips what lies outside at the edges and marks it as clipped", () => {
  expect(spanOf(scale, "2027-03-20T00:00:00.000Z", "2027-03-27T23:00:00.000Z")).toEqual({
    from: 0,
    to: 1,
    cutStart: true,
    cutEnd: false,
  });
  expect(spanOf(scale, "2027-03-28T22:00:00.000Z", null)).toEqual({ from: 2, to: 3, cutStart: false, cutEnd: true });
  expect(spanOf(scale, "2027-03-20T00:00:00.000Z", "2027-03-26T23:00:00.000Z")).toBeNull();
  expect(spanOf(scale, "2027-03-29T22:00:00.000Z", null)).toBeNull();
});

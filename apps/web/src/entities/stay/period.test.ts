import { describe, expect, it } from "vitest";
import { departureAfter, firstPeriod, laterDeparture, quantityOf } from "./period.ts";

const berlin = {
  id: 1,
  name: "",
  timeZone: "Europe/Berlin",
  currency: "EUR",
  language: "en",
  hourFormat: "language" as const,
  checkInTime: "15:00",
  checkOutTime: "11:00",
  dayStartTime: "05:00",
  weekendNights: [5, 6],
};

describe("a stay's period at the desk", () => {
  it("ends nights at check-out time, on both sides of a clock change", () => {
    expect(departureAfter("2026-03-28T14:00:00.000Z", 1, "day", berlin)).toBe("2026-03-29T09:00:00.000Z");
    expect(departureAfter("2026-10-24T13:00:00.000Z", 1, "day", berlin)).toBe("2026-10-25T10:00:00.000Z");
  });

  it("counts an arrival before the day starts as the night before", () => {
    const startsAt = "2026-11-21T02:00:00.000Z";
    const endsAt = departureAfter(startsAt, 1, "day", berlin);
    expect(endsAt).toBe("2026-11-21T10:00:00.000Z");
    expect(quantityOf({ startsAt, endsAt }, "day", berlin)).toBe(1);
  });

  it("adds real hours and calendar months", () => {
    expect(departureAfter("2026-03-29T00:30:00.000Z", 2, "hour", berlin)).toBe("2026-03-29T02:30:00.000Z");
    expect(departureAfter("2027-01-31T14:00:00.000Z", 1, "month", berlin)).toBe("2027-02-28T10:00:00.000Z");
    expect(departureAfter("2028-02-29T14:00:00.000Z", 1, "year", berlin)).toBe("2029-02-28T10:00:00.000Z");
  });

  it("returns the quantity that it was calculated from", () => {
    const startsAt = "2026-05-04T13:00:00.000Z";
    for (const unit of ["hour", "day", "month", "year"] as const) {
      for (const quantity of [1, 2, 5]) {
        const endsAt = departureAfter(startsAt, quantity, unit, berlin);
        expect(quantityOf({ startsAt, endsAt }, unit, berlin), `${quantity} ${unit}`).toBe(quantity);
      }
    }
  });

  it("starts walk-ins now and reservations at the next check-in time", () => {
    const morning = Date.parse("2026-11-21T09:12:34.000Z");
    expect(firstPeriod("checkIn", berlin, morning).startsAt).toBe("2026-11-21T09:12:00.000Z");
    expect(firstPeriod("reserve", berlin, morning).startsAt).toBe("2026-11-21T14:00:00.000Z");
    expect(firstPeriod("reserve", berlin, Date.parse("2026-11-21T14:30:00.000Z")).startsAt).toBe(
      "2026-11-22T14:00:00.000Z",
    );
  });

  it("renews an overdue stay to a time in the future", () => {
    const ended = "2026-11-18T10:00:00.000Z";
    expect(laterDeparture(ended, 1, "day", berlin.timeZone, Date.parse("2026-11-21T09:00:00.000Z"))).toBe(
      "2026-11-21T10:00:00.000Z",
    );
    expect(laterDeparture(ended, 1, "day", berlin.timeZone, Date.parse("2026-11-17T09:00:00.000Z"))).toBe(
      "2026-11-19T10:00:00.000Z",
    );
  });
});

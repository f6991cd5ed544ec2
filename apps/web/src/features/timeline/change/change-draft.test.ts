import { expect, it } from "vitest";
import { conflictsOf, type Draft, isChanged, nightsBetween, type StayBar, targetOf } from "./change-draft.ts";

const HOTEL = { timeZone: "Europe/Berlin", checkInTime: "15:00", checkOutTime: "12:00" };
const bar = (fields: Partial<StayBar["stay"]> = {}): StayBar => {
  const [startsAt, endsAt] = ["2027-03-26T14:00:00.000Z", "2027-03-27T11:00:00.000Z"];
  const stay = { stayId: 1, stayGuestId: 1, state: "reserved", unit: "day", guestName: "Ada", guestCount: 1 } as const;
  const flags = { breakfast: false, expired: false, owed: false };
  return {
    ...{ occupancyId: 1, roomId: 7, kind: "stay", state: "held", startsAt, endsAt, note: "" },
    stay: { ...stay, ...flags, startsAt, endsAt, ...fields },
  };
};

it("shifts by the hotel's days, so that check-in stays at check-in time when the clock changes", () => {
  const target = targetOf({ kind: "move", bar: bar(), roomId: 8, days: 2 }, HOTEL);
  expect(target).toEqual({ roomId: 8, startsAt: "2027-03-28T13:00:00.000Z", endsAt: "2027-03-29T10:00:00.000Z" });
});

it("moves a departure by days, of a stay by the hour by hours", () => {
  expect(targetOf({ kind: "extend", bar: bar(), roomId: 7, steps: 1 }, HOTEL).endsAt).toBe("2027-03-28T10:00:00.000Z");
  const hourly = bar({ unit: "hour" });
  expect(targetOf({ kind: "extend", bar: hourly, roomId: 7, steps: -2 }, HOTEL).endsAt).toBe(
    "2027-03-27T09:00:00.000Z",
  );
});

it("selects nights in either direction, at least one", () => {
  expect(nightsBetween("2027-03-28", "2027-03-26")).toEqual({ from: "2027-03-26", to: "2027-03-28" });
  expect(nightsBetween("2027-03-26", "2027-03-26")).toEqual({ from: "2027-03-26", to: "2027-03-27" });
});

it("finds conflicting stays, but not itself", () => {
  const draft: Draft = { kind: "move", bar: bar(), roomId: 7, days: 1 };
  const target = targetOf(draft, HOTEL);
  const other = { ...bar({ stayId: 2 }), occupancyId: 2, startsAt: target.startsAt, endsAt: null };
  expect(isChanged(draft)).toBe(true);
  expect(conflictsOf([draft.bar, other, { ...other, roomId: 9 }, { ...other, state: "ended" }], draft, target)).toEqual(
    [other],
  );
});

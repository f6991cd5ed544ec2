import { expect, it } from "vitest";
import { addFigures, averageRateMinor, occupancyShare, revenuePerRoomMinor } from "./occupancy.ts";

it("relates revenue to the rooms that were sold and to those that could be let", () => {
  const figures = addFigures([
    { rooms: 10, sold: 4, revenueMinor: 40_000 },
    { rooms: 10, sold: 1, revenueMinor: 5_001 },
  ]);
  expect(figures).toEqual({ rooms: 20, sold: 5, revenueMinor: 45_001 });
  expect([occupancyShare(figures), averageRateMinor(figures), revenuePerRoomMinor(figures)]).toEqual([
    0.25, 9_000, 2_250,
  ]);
});

it("has no share and no rate where there is nothing to relate to", () => {
  const nothing = { rooms: 0, sold: 0, revenueMinor: 0 };
  expect([occupancyShare(nothing), averageRateMinor(nothing), revenuePerRoomMinor(nothing)]).toEqual([
    null,
    null,
    null,
  ]);
});

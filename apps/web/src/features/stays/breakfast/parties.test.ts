import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import { expect, it } from "vitest";
import { partiesOf } from "./parties.ts";

const guest = (stayId: number, roomName: string, name: string): BreakfastGuest => ({
  stayGuestId: stayId * 10,
  stayId,
  roomId: stayId,
  roomName,
  name,
  state: "in",
  usedAt: null,
  operatorName: null,
});
const guests = [guest(1, "101", "Ada"), guest(1, "101", "Bo"), guest(2, "102", "Cy")];

it("keeps a party together in the order of rooms", () => {
  expect(partiesOf(guests, "").map(({ roomName, guests: { length } }) => [roomName, length])).toEqual([
    ["101", 2],
    ["102", 1],
  ]);
});

it("finds a whole party by its room or by one of its names", () => {
  expect(partiesOf(guests, " bo ").map(({ guests }) => guests.length)).toEqual([2]);
  expect(partiesOf(guests, "102").map(({ stayId }) => stayId)).toEqual([2]);
  expect(partiesOf(guests, "Zoe")).toEqual([]);
});

import { expect, it } from "vitest";
import type { KeptRoom } from "@/lib/offline/kept-board.ts";
import { cardEnds, roomsOfCard } from "./kept-cards.ts";

const room = (name: string, ...numbers: string[]): KeptRoom => ({
  ...{ name, status: "checked_in", surname: "Marlow", until: null },
  cards: numbers.map((number) => ({ number, validTo: null })),
});

it("a number is compared by its end, in either byte order and as a decimal", () => {
  expect(cardEnds("04A1B2C3D4E5F6")).toContain("E5F6");
  expect(cardEnds("f6:e5:d4:c3:b2:a1:04")).toContain("E5F6");
  expect(cardEnds(String(0x01020a0b))).toContain("0A0B");
  expect(cardEnds(" e5f6 ")).toEqual(["E5F6"]);
  expect(cardEnds("")).toEqual([]);
  expect(cardEnds("E5F")).toEqual([]);
  expect(cardEnds("Marlow")).toEqual([]);
});

it("every room with such a card is named, because ends are no numbers", () => {
  const rooms = [room("301", "E5F6", "0001"), room("302"), room("303", "E5F6")];
  expect(roomsOfCard(rooms, ["E5F6"]).map((one) => one.room.name)).toEqual(["301", "303"]);
  expect(roomsOfCard(rooms, ["FFFF"])).toEqual([]);
  expect(roomsOfCard(rooms, [])).toEqual([]);
});

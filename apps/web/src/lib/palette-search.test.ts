import { expect, it } from "vitest";
import type { PaletteCommand } from "./commands.ts";
import { findCommands, searchable } from "./palette-search.ts";

const command = (id: string, group: string, more: Partial<PaletteCommand> = {}): PaletteCommand => ({
  id,
  group,
  label: id,
  run: () => undefined,
  ...more,
});
const all = searchable([
  command("Rooms", "Go to"),
  command("Check in, room 1301", "Front desk", { whenTyped: true }),
  command("Check in, room 301", "Front desk", { whenTyped: true }),
  command("Check out, room 302", "Front desk", { whenTyped: true }),
  command("Jürgen Müller", "Guests", { whenTyped: true, detail: "Room 302" }),
]);
const labels = (typed: string): string[] => [...findCommands(all, typed).values()].flat().map(({ label }) => label);

it("shows what is there for all before anything is typed", () => expect(labels("")).toEqual(["Rooms"]));

it("wants every word, in any order", () => {
  expect(labels("301 check")).toEqual(["Check in, room 301", "Check in, room 1301"]);
  expect(labels("check in 302")).toEqual([]);
});

it("puts the very room first", () => expect(labels("301")[0]).toBe("Check in, room 301"));

it("forgives marks and case, and reads Arabic digits", () => {
  expect(labels("muller")).toEqual(["Jürgen Müller"]);
  expect(labels("٣٠٢")).toEqual(["Check out, room 302", "Jürgen Müller"]);
});

it("lists no more of a group than can be overlooked", () => {
  const many = searchable(Array.from({ length: 40 }, (_, index) => command(`Room ${index}`, "Rooms")));
  expect(findCommands(many, "room").get("Rooms")).toHaveLength(8);
});

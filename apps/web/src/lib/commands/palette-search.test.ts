import { expect, it } from "vitest";
import type { PaletteCommand } from "./commands.ts";
import { findCommands, matchScore, searchable } from "./palette-search.ts";

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

it("shows the general entries before anything is typed", () => expect(labels("")).toEqual(["Rooms"]));

it("matches entries that have every word, in any order", () => {
  expect(labels("301 check")).toEqual(["Check in, room 301", "Check in, room 1301"]);
  expect(labels("check in 302")).toEqual([]);
});

it("puts the exact room first", () => expect(labels("301")[0]).toBe("Check in, room 301"));

it("ignores accents and case, and reads Arabic digits", () => {
  expect(labels("muller")).toEqual(["Jürgen Müller"]);
  expect(labels("٣٠٢")).toEqual(["Check out, room 302", "Jürgen Müller"]);
});

it("lists a limited number of entries per group", () => {
  const many = searchable(Array.from({ length: 40 }, (_, index) => command(`Room ${index}`, "Rooms")));
  expect(findCommands(many, "room").get("Rooms")).toHaveLength(8);
});

/** Returns the option that a picker selects for the typed text, or undefined if none fits. */
function best(typed: string, options: readonly { label: string; keywords?: string[] }[]): string | undefined {
  const scored = options.map(({ label, keywords }) => ({ label, score: matchScore(typed, label, keywords) }));
  return scored.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score)[0]?.label;
}
const rooms = [1, 2, 3, 4, 5, 6].flatMap((floor) =>
  Array.from({ length: 10 }, (_, index) => ({
    label: String(floor * 100 + index + 1),
    keywords: ["Garden 101", "101"],
  })),
);

it("finds each room by its number, whatever other entries contain", () => {
  for (const { label } of rooms) expect(best(label, rooms)).toBe(label);
  expect(best("١٠١", rooms)).toBe("101");
  expect(best(" 202 ", rooms)).toBe("202");
});

it("finds no other room for a number that doesn't exist", () => {
  const without404 = rooms.filter(({ label }) => label !== "404");
  expect(best("404", without404)).toBeUndefined();
  expect(best("1404", rooms)).toBeUndefined();
});

it("ranks whole names before parts of names, and descriptions last", () => {
  const people = [
    { label: "Marianne" },
    { label: "Dr. Anne Müller" },
    { label: "Ben", keywords: ["anne"] },
    { label: "Anne" },
  ];
  expect(best("anne", people)).toBe("Anne");
  expect(best("anne", people.slice(0, 3))).toBe("Dr. Anne Müller");
  expect(best("muller anne", people)).toBe("Dr. Anne Müller");
  expect(best("anne", people.filter(({ label }) => label === "Ben" || label === "Marianne").toReversed())).toBe(
    "Marianne",
  );
});

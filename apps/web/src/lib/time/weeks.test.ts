import { expect, it } from "vitest";
import { dateAfterKey, weeksOf } from "./weeks.ts";

it("a month has the full weeks that contain its days", () => {
  const weeks = weeksOf("2026-11-01", 1);
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual(["2026-10-26", "2026-12-06"]);
  expect(weeksOf("2026-11-01", 7)[0]?.[0]).toBe("2026-11-01");
});

it("keys lead to days, weeks, months and years, and the arrows follow the direction of writing", () => {
  const from = (key: string, shiftKey = false, dir: "ltr" | "rtl" = "ltr") =>
    dateAfterKey("2026-03-31", { key, shiftKey }, { firstDay: 1, dir });
  expect([from("ArrowRight"), from("ArrowLeft"), from("ArrowUp"), from("ArrowDown")]).toEqual([
    ...["2026-04-01", "2026-03-30", "2026-03-24", "2026-04-07"],
  ]);
  expect([from("ArrowRight", false, "rtl"), from("ArrowLeft", false, "rtl")]).toEqual(["2026-03-30", "2026-04-01"]);
  expect([from("Home"), from("End")]).toEqual(["2026-03-30", "2026-04-05"]);
  expect([from("PageUp"), from("PageDown"), from("PageDown", true)]).toEqual([
    "2026-02-28",
    "2026-04-30",
    "2027-03-31",
  ]);
  expect(from("a")).toBeNull();
});

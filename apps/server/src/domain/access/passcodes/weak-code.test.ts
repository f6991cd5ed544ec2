import { expect, it } from "vitest";
import { isWeakCode } from "./code-choice.ts";

it.each([
  ["777777", "one digit"],
  ["121212", "two repeated digits"],
  ["123123", "three repeated digits"],
  ["012345", "a run up"],
  ["890123", "a run up across 9 and 0"],
  ["987654", "a run down"],
  ["210987", "a run down across 0 and 9"],
  ["111112", "five alike"],
  ["855555", "five alike"],
  ["112233", "pairs in a row"],
  ["998877", "pairs in a row, downwards"],
  ["123321", "a mirror"],
  ["305305", "the room number twice"],
  ["000305", "the room number after zeros"],
  ["305000", "the room number before zeros"],
])("refuses %s: %s", (code) => {
  expect(isWeakCode(code, ["Room 305"])).toBe(true);
});

it("refuses a four-digit room number continued to six digits", () => {
  expect(isWeakCode("120412", ["1204"])).toBe(true);
});

it.each(["305306", "314159", "402867", "113322", "114027"])("accepts %s", (code) => {
  expect(isWeakCode(code, ["305", "Garden", ""])).toBe(false);
});

it("refuses few of the codes that begin with a zero", () => {
  let weak = 0;
  for (let code = 0; code < 100_000; code += 1) {
    if (isWeakCode(String(code).padStart(6, "0"), ["305"])) weak += 1;
  }
  expect(weak).toBeGreaterThan(200);
  expect(weak).toBeLessThan(400);
});

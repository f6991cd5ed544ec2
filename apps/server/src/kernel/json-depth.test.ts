import { expect, it } from "vitest";
import { isTooDeep } from "./json-depth.ts";

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

it("accepts 64 levels, however many brackets stand beside each other or in texts", () => {
  expect(isTooDeep(nested(64))).toBe(false);
  expect(isTooDeep(nested(65))).toBe(true);
  expect(isTooDeep(`[${Array.from({ length: 500 }, () => '{"a":[]}').join()}]`)).toBe(false);
  expect(isTooDeep(JSON.stringify({ note: "[".repeat(500), other: '\\"{{' }))).toBe(false);
  expect(isTooDeep('{"a":'.repeat(65))).toBe(true);
});

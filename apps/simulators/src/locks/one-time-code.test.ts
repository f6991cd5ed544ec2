import { expect, it } from "vitest";
import { oneTimeCode } from "./lock-cipher.ts";

// Source: RFC 4226, appendix D, the secret "12345678901234567890" and its first ten codes.
const SECRET = "3132333435363738393031323334353637383930";
const CODES = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];

it.each(CODES.map((code, counter) => [counter, code] as const))("counter %i is %s", (counter, code) => {
  expect(oneTimeCode(SECRET, counter)).toBe(code);
});

import { expect, it } from "vitest";
import { hotp } from "./one-time.ts";

it("matches RFC 4226, appendix D", () => {
  const secret = Buffer.from("12345678901234567890");
  const codes = Array.from({ length: 10 }, (_, counter) => hotp(secret, BigInt(counter)));
  expect(codes).toEqual([
    "755224",
    "287082",
    "359152",
    "969429",
    "338314",
    "254676",
    "287922",
    "162583",
    "399871",
    "520489",
  ]);
});

it("accepts counters beyond 32 bits", () => {
  const secret = Buffer.alloc(20, 1);
  expect(hotp(secret, 2n ** 40n)).toMatch(/^\d{6}$/);
  expect(hotp(secret, 2n ** 32n)).not.toBe(hotp(secret, 0n));
});

import { expect, it } from "vitest";
import { currencyOfZone } from "./currency-of-zone.ts";

it("guesses the currency of the country that the time zone is in", () => {
  const guesses = [
    "Europe/Lisbon",
    "Europe/Zurich",
    "America/New_York",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Europe/London",
  ];
  expect(guesses.map(currencyOfZone)).toEqual(["EUR", "CHF", "USD", "CNY", "JPY", "GBP"]);
});

it("guesses nothing for a zone without a country", () => {
  expect(currencyOfZone("UTC")).toBe("");
  expect(currencyOfZone("Nowhere/Atall")).toBe("");
});

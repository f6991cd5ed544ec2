import { expect, it } from "vitest";
import { deviceLabel } from "./device-label.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

it.each([
  [CHROME, "Chrome, Windows"],
  [IPHONE, "Safari, iOS"],
  ["", ""],
])("%s is %s", (userAgent, label) => {
  expect(deviceLabel(userAgent)).toBe(label);
});

it("leaves a program's name as it is", () => {
  expect(deviceLabel("HotelClient")).toContain("HotelClient");
});

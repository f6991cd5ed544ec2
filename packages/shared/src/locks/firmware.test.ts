import { expect, it } from "vitest";
import { compareFirmware, newerFirmware } from "./firmware.ts";

it("compares versions by their numbers", () => {
  expect(compareFirmware("2.10.0", "2.9.4")).toBeGreaterThan(0);
  expect(compareFirmware("v2.4", "2.4.0")).toBe(0);
  expect(compareFirmware("", "1")).toBeLessThan(0);
});

it("names the newest version of locks that are reached in the same way", () => {
  const locks = [
    { id: 1, driver: "mqtt", firmware: "2.9.4" },
    { id: 2, driver: "mqtt", firmware: "2.10.0" },
    { id: 3, driver: "mqtt", firmware: "" },
    { id: 4, driver: "zigbee2mqtt", firmware: "1.0" },
  ];
  expect([...newerFirmware(locks)]).toEqual([[1, "2.10.0"]]);
  expect([...newerFirmware([])]).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { alertTextKey } from "./alert-text.ts";

describe("the text of an alert", () => {
  it("names no battery level that the lock didn't report", () => {
    expect(alertTextKey("battery_low", {})).toBe("battery_low_unknown");
    expect(alertTextKey("battery_low", { power: 0 })).toBe("battery_low");
  });

  it("names an unknown key if it is known which", () => {
    expect(alertTextKey("unmanaged_code", { key: "A1" })).toBe("unmanaged_named");
    expect(alertTextKey("unmanaged_code", {})).toBe("unmanaged_code");
  });
});

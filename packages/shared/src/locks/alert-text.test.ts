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

  it("says that a message didn't reach a guest, with the name only where it is known", () => {
    expect(alertTextKey("guest_message_failed", { name: "Ada" })).toBe("guest_message_failed");
    expect(alertTextKey("guest_message_failed", { name: "" })).toBe("guest_message_failed_unnamed");
  });
});

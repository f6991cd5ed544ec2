import { describe, expect, it } from "vitest";
import { type HourFormat, timeTag } from "./hour-format.ts";
import { LANGUAGES } from "./languages.ts";

const AFTERNOON = new Date("2026-11-25T14:30:00Z");
const MIDNIGHT = new Date("2026-11-25T00:05:00Z");

const write = (tag: string, hourFormat: HourFormat, time: Date): string =>
  new Intl.DateTimeFormat(timeTag(tag, hourFormat), { timeStyle: "short", timeZone: "UTC" })
    .format(time)
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660));

describe.each(LANGUAGES)("$code", ({ tag }) => {
  it("writes the afternoon with the hours that the hotel chose", () => {
    expect(write(tag, "h24", AFTERNOON)).toContain("14:30");
    expect(write(tag, "h24", MIDNIGHT)).toMatch(/^0?0:05$/);
    expect(write(tag, "h12", AFTERNOON)).not.toContain("14");
    expect(write(tag, "h12", AFTERNOON)).toMatch(/0?2:30/);
    expect(write(tag, "h12", MIDNIGHT)).toContain("12:05");
    expect(write(tag, "language", AFTERNOON)).toBe(
      write(
        tag,
        new Intl.DateTimeFormat(tag, { timeStyle: "short" }).resolvedOptions().hour12 ? "h12" : "h24",
        AFTERNOON,
      ),
    );
  });
});

import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { type CalendarEvent, calendarFile } from "./calendar-file.ts";

const AT = "2026-03-02T10:00:00.000Z";

const NIGHTS: CalendarEvent = { uid: "1@x", summary: "Taken", period: { from: "2026-03-02", until: "2026-03-04" } };

function eventsOf(text: string): ICAL.Event[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((event) => new ICAL.Event(event));
}

describe("a calendar", () => {
  it("has nights as dates, with the first free day as the end, and hours as instants", () => {
    const hours = { startsAt: "2026-03-29T01:30:00+01:00", endsAt: "2026-03-29T05:00:00+02:00" };
    const text = calendarFile("Hotel", [NIGHTS, { uid: "2@x", summary: "Taken", period: hours }], AT);
    expect(text).toContain("DTSTART;VALUE=DATE:20260302\r\nDTEND;VALUE=DATE:20260304\r\n");
    const [nights, clock] = eventsOf(text);
    expect([nights?.startDate.isDate, nights?.startDate.toString(), nights?.endDate.toString()]).toEqual([
      true,
      "2026-03-02",
      "2026-03-04",
    ]);
    expect(clock?.startDate.toJSDate().toISOString()).toBe("2026-03-29T00:30:00.000Z");
    expect(clock?.endDate.toJSDate().toISOString()).toBe("2026-03-29T03:00:00.000Z");
    expect(nights?.uid).toBe("1@x");
  });

  it("gives back every text as it was, however long and odd it is", () => {
    const texts = [
      "Zimmer Köln; 海, Meer\\See",
      "first\nsecond",
      `${"海".repeat(60)}👩‍👩‍👧 ${"x".repeat(200)}`,
      "BEGIN:VEVENT\r\nUID:forged",
      "",
    ];
    const text = calendarFile(
      texts[0] ?? "",
      texts.map((summary, index) => ({ ...NIGHTS, uid: String(index), summary })),
      AT,
    );
    expect(eventsOf(text).map(({ summary }) => summary)).toEqual(texts.map((one) => one.replace("\r\n", "\n")));
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue("x-wr-calname")).toBe(
      "Zimmer Köln\\; 海\\, Meer\\\\See",
    );
  });

  it("has no control characters, which the format doesn't allow", () => {
    const [event] = eventsOf(calendarFile("x", [{ ...NIGHTS, summary: "a\u0000b\u001bc\td" }], AT));
    expect(event?.summary).toBe("abcd");
  });

  it("may be empty", () => {
    expect(eventsOf(calendarFile("x", [], AT))).toEqual([]);
  });
});

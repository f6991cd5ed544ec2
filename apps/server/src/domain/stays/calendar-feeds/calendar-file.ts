/** Writes calendars in the format iCalendar (source: RFC 5545). */

/** A busy period: whole nights, or from one instant to another. */
export interface CalendarEvent {
  uid: string;
  summary: string;
  /** `until` is the first day that is free again */
  period: { from: string; until: string } | { startsAt: string; endsAt: string };
}

const PRODUCT = "-//Innkey//Calendar//EN";
/** How often programs should read a calendar; many read it less often. */
const REFRESH = "PT15M";
/** Octets of a line, without its end (source: RFC 5545, section 3.1) */
const MAX_LINE = 75;

/** Escapes a text (source: RFC 5545, section 3.3.11). Control characters aren't allowed there. */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|[\r\n]/g, "\\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are removed
    .replace(/[\u0000-\u001f\u007f]/g, "");

/** Breaks a line so that no part is too long and no character is split; each part after the first begins with a space. */
function fold(line: string): string {
  const parts = [""];
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > MAX_LINE) {
      parts.push("");
      octets = 1;
    }
    parts[parts.length - 1] += character;
    octets += length;
  }
  return parts.join("\r\n ");
}

const dateOf = (date: string): string => date.replaceAll("-", "");
const instantOf = (instant: string): string => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, "");

function eventLines({ uid, summary, period }: CalendarEvent, changedAt: string): string[] {
  const times =
    "from" in period
      ? [`DTSTART;VALUE=DATE:${dateOf(period.from)}`, `DTEND;VALUE=DATE:${dateOf(period.until)}`]
      : [`DTSTART:${instantOf(period.startsAt)}`, `DTEND:${instantOf(period.endsAt)}`];
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${instantOf(changedAt)}`,
    ...times,
    `SUMMARY:${escapeText(summary)}`,
    "TRANSP:OPAQUE",
    "END:VEVENT",
  ];
}

/** Returns a calendar that last changed at that time. */
export function calendarFile(name: string, events: readonly CalendarEvent[], changedAt: string): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:${PRODUCT}`,
    "CALSCALE:GREGORIAN",
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...events.flatMap((event) => eventLines(event, changedAt)),
    "END:VCALENDAR",
  ];
  return `${lines.map(fold).join("\r\n")}\r\n`;
}

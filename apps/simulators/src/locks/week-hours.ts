import type { LockArgs } from "@innkey/shared/locks/protocol";

type Hours = LockArgs["set_credential"]["hours"];

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY_MINUTES = 1_440;

/** Minutes since the start of the day of a time HH:mm. */
function minutes(time: string): number {
  return 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
}

/**
 * Checks whether a key's days and hours include `at` (milliseconds), as docs/integrators/lock-protocol.md describes. The
 * lock applies the time zone that it was configured with.
 */
export function isWithinHours(hours: Hours, at: number, timeZone: string): boolean {
  if (!hours) return true;
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: "weekday" | "hour" | "minute"): string => parts.find((one) => one.type === type)?.value ?? "";
  const today = DAYS.indexOf(part("weekday")) + 1;
  const yesterday = today === 1 ? DAYS.length : today - 1;
  const now = 60 * Number(part("hour")) + Number(part("minute"));
  return hours.some(({ days, from, to }) => {
    const start = minutes(from);
    const end = minutes(to) > start ? minutes(to) : minutes(to) + DAY_MINUTES;
    return (
      (days.includes(today) && now >= start && now < end) ||
      (days.includes(yesterday) && now + DAY_MINUTES >= start && now + DAY_MINUTES < end)
    );
  });
}

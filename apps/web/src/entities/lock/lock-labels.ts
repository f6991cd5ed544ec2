import { MAX_BATTERY_WEEKS } from "@innkey/shared/locks/lock-status";
import { formatDateTime, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";

/** Returns a sentence that explains why a lock did not carry out a command; nothing without an error. */
export function lockErrorText(error: string | null): string {
  return error ? textOf(`locks.error.${error}`, {}, "locks.error.internal") : "";
}

export function percentText(power: number): string {
  return formatNumber(power / 100, { style: "percent" });
}

/** Returns how long a battery probably lasts; `weeksLeft` null: not enough is known. */
export function batteryText(weeksLeft: number | null): string {
  if (weeksLeft === null) return t("locks.battery.unknown");
  if (weeksLeft >= MAX_BATTERY_WEEKS) return t("locks.battery.overYear");
  if (weeksLeft === 0) return t("locks.battery.underWeek");
  const weeks = formatNumber(weeksLeft, { style: "unit", unit: "week", unitDisplay: "long" });
  return t("locks.battery.left", { weeks });
}

/** Returns "3 minutes ago", or "never". */
export function lastSeenText(instant: string | null): string {
  return instant ? formatRelative(instant) : t("room.neverSeen");
}

/** Returns when the next attempt follows. A due attempt is in progress, or waits for the lock if that is offline. */
export function nextTryText(instant: string | null, online: boolean, now = Date.now()): string {
  if (!instant) return "";
  if (!online) return t("locks.whenBack");
  return Date.parse(instant) <= now ? t("locks.tryingNow") : t("locks.nextTry", { when: formatRelative(instant, now) });
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/**
 * Prepares the parameters of a server's answer for a text: instants in the hotel's zone, a lock's error as a sentence,
 * and names isolated so that their direction doesn't affect the sentence.
 */
export function displayParams(
  params: Readonly<Record<string, string | number>>,
  timeZone: string,
): Record<string, string | number> {
  const entries = Object.entries(params).map(([name, value]): [string, string | number] => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, formatDateTime(value, timeZone)];
    if (name === "error" && typeof value === "string") return [name, lockErrorText(value)];
    if (name === "type") return [name, textOf(`locks.kind.${value}`, {}, "locks.kind.card")];
    return [name, typeof value === "string" && value !== "" ? `\u2068${value}\u2069` : value];
  });
  return Object.fromEntries(entries);
}

/** Returns the validity period as text: from and until, only one of them, or "without end" if both are missing. */
export function windowText(validFrom: string | null, validTo: string | null, timeZone: string): string {
  const from = validFrom ? formatShort(validFrom, timeZone) : "";
  if (!validTo) return from ? t("locks.fromOn", { from }) : t("locks.withoutEnd");
  const to = formatShort(validTo, timeZone);
  return from ? `${from} – ${to}` : t("locks.until", { to });
}

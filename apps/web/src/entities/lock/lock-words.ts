import { formatDateTime, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";

/** Why a lock did not do what it was told, as a sentence for the desk; nothing for "". */
export function lockErrorText(error: string): string {
  return error === "" ? "" : textOf(`locks.error.${error}`, {}, "locks.error.internal");
}

export function percentText(power: number): string {
  return formatNumber(power / 100, { style: "percent" });
}

/** "3 minutes ago", or "never". */
export function lastSeenText(instant: string | null): string {
  return instant ? formatRelative(instant) : t("room.neverSeen");
}

/** When something is tried again; what is due is under way, unless the lock is away: then it waits for it. */
export function nextTryText(instant: string | null, online: boolean, now = Date.now()): string {
  if (!instant) return "";
  if (!online) return t("locks.whenBack");
  return Date.parse(instant) <= now ? t("locks.tryingNow") : t("locks.nextTry", { when: formatRelative(instant, now) });
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/**
 * What an answer of the server names, for people: instants in the hotel's zone, a lock's error as a sentence, and names in
 * their own direction, whichever the sentence has.
 */
export function spokenParams(
  params: Readonly<Record<string, string | number>>,
  timeZone: string,
): Record<string, string | number> {
  const spoken = Object.entries(params).map(([name, value]): [string, string | number] => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, formatDateTime(value, timeZone)];
    if (name === "error" && typeof value === "string") return [name, lockErrorText(value)];
    if (name === "type") return [name, textOf(`locks.kind.${value}`, {}, "locks.kind.card")];
    return [name, typeof value === "string" && value !== "" ? `\u2068${value}\u2069` : value];
  });
  return Object.fromEntries(spoken);
}

/** From when until when; without an end it says so. */
export function windowText(validFrom: string | null, validTo: string | null, timeZone: string): string {
  const from = validFrom ? formatShort(validFrom, timeZone) : "";
  if (!validTo) return from ? t("locks.fromOn", { from }) : t("locks.withoutEnd");
  const to = formatShort(validTo, timeZone);
  return from ? `${from} – ${to}` : t("locks.until", { to });
}

import type { AlertKind, CredentialKind, UnlockStyle } from "@innkey/shared/enums";
import { LOW_POWER_PERCENT, RESTORED_POWER_PERCENT } from "@innkey/shared/locks/power";
import { isCounterPossible } from "../credentials/min-sequences.ts";
import { isSameItem, type UnmanagedItem } from "../lock-commands/compare-inventory.ts";
import type { LockRowForEvents, StoredEvent } from "./reported-event.ts";

/** The changes that a batch of events causes for one lock. */
export interface LockChange {
  lock: LockRowForEvents;
  /** number of new events */
  kept: number;
  eventSeq: number;
  /** battery level in percent */
  power: number | null;
  guestFloor: number;
  otpFloor: number;
  /** counters of one-time codes that opened the door, with their credentials */
  spentCodes: { counter: number; credentialId: number | null; at: Date }[];
  alerts: { kind: AlertKind; count: number; params: Record<string, number> }[];
  batteryRecovered: boolean;
  /** keys that opened the door but were not issued by this console, each once */
  unknownKeys: UnmanagedItem[];
}

/**
 * Derives the changes of a lock from its new events, in the order in which it reported them. A lock's report is only a
 * claim: no limit rises above what the console issued for the lock, and a higher claim counts as tampering. So does
 * naming too many new logs (`isUntrusted`).
 */
export function lockChange(lock: LockRowForEvents, stored: readonly StoredEvent[], isUntrusted = false): LockChange {
  const news = stored.filter(({ number }) => number > lock.eventSeq);
  const eventSeq = news.reduce((last, { number }) => Math.max(last, number), lock.eventSeq);
  const power = news.findLast((event) => event.power !== null)?.power ?? lock.power;
  const spentCodes = stored.flatMap(({ success, counter, credentialId, at }) =>
    success && counter !== null && isCounterPossible(lock, counter) ? [{ counter, credentialId, at }] : [],
  );
  return {
    lock,
    kept: stored.length,
    eventSeq,
    power,
    guestFloor: highest(lock, stored),
    otpFloor: spentCodes.reduce((floor, { counter }) => Math.max(floor, counter + 1), lock.otpFloor),
    spentCodes,
    alerts: messagesOf(lock, stored, lostAmong(lock, news), power, isUntrusted),
    unknownKeys: unknownAmong(stored.filter((event) => !isImpossible(lock, event))),
    batteryRecovered: power !== lock.power && power !== null && power > RESTORED_POWER_PERCENT,
  };
}

const KINDS: Partial<Record<UnlockStyle, CredentialKind>> = { card: "card", passcode: "passcode", face: "face" };

function unknownAmong(stored: readonly StoredEvent[]): UnmanagedItem[] {
  const unknown: UnmanagedItem[] = [];
  for (const { success, style, slot, uid, foreignKey, cardId, credentialId, at } of stored) {
    if (!success || cardId !== null || credentialId !== null || (slot === null && !uid && !foreignKey)) continue;
    const kind = uid ? "card" : KINDS[style];
    if (!kind) continue;
    const item = { slot, kind, name: uid ?? foreignKey ?? "" };
    if (unknown.some((other) => isSameItem(other, item))) continue;
    unknown.push({ ...item, validFrom: null, validTo: null, adopted: false, heardAt: at.toISOString() });
  }
  return unknown;
}

function highest({ guestFloor, issued }: LockRowForEvents, stored: readonly StoredEvent[]): number {
  const sequences = stored.flatMap(({ shownSequence: cardSequence }) =>
    cardSequence !== null && cardSequence <= issued ? [cardSequence] : [],
  );
  return Math.max(guestFloor, ...sequences);
}

/**
 * Checks whether the sequence or counter is higher than any the console has issued for this lock, so that the card or
 * code must be forged.
 */
const isImpossible = (
  lock: LockRowForEvents,
  { success, shownSequence: cardSequence, counter }: StoredEvent,
): boolean =>
  (cardSequence !== null && cardSequence > lock.everIssued) ||
  (success && counter !== null && !isCounterPossible(lock, counter));

/**
 * Counts the events missing before or between the new ones. The first event of a log may have any number, and only
 * locks of our own protocol number their events without gaps.
 */
function lostAmong(lock: LockRowForEvents, news: readonly StoredEvent[]): number {
  if (lock.driver !== "mqtt") return 0;
  let [last, lost] = [lock.eventSeq, 0];
  for (const { number, base } of news.toSorted((a, b) => a.number - b.number)) {
    if (last > base) lost += number - last - 1;
    last = number;
  }
  return lost;
}

function messagesOf(
  lock: LockRowForEvents,
  stored: readonly StoredEvent[],
  lost: number,
  power: number | null,
  isUntrusted: boolean,
): LockChange["alerts"] {
  const alerts: LockChange["alerts"] = [];
  if (lost > 0) alerts.push({ kind: "records_lost", count: 1, params: { count: lost } });
  for (const kind of ["tamper", "wrong_codes"] as const) {
    const alarms = stored.filter(
      (event) => event.alarm === kind || (kind === "tamper" && isImpossible(lock, event)),
    ).length;
    const count = alarms + (kind === "tamper" && isUntrusted ? 1 : 0);
    if (count > 0) alerts.push({ kind, count, params: {} });
  }
  const low = power !== lock.power && power !== null && power < LOW_POWER_PERCENT;
  if (low || stored.some(({ alarm }) => alarm === "battery_low")) {
    alerts.push({ kind: "battery_low", count: 1, params: power === null ? {} : { power } });
  }
  return alerts;
}
